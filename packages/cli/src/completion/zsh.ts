import { type DescribedCommand, type DescribedOption, flatten, quote } from "./tree.js";

/** A completion script for zsh: one function per command. */
export function zshCompletion(root: DescribedCommand): string {
  const functions = flatten(root).map((command) =>
    command.subcommands.length > 0 ? groupFunction(command) : leafFunction(command),
  );
  return `#compdef debug-bridge
# zsh completion of debug-bridge. Save it as _debug-bridge in a folder of $fpath.
${functions.join("\n")}
if [ "$funcstack[1]" = "_debug-bridge" ]; then
  ${nameOf(root)} "$@"
else
  compdef ${nameOf(root)} debug-bridge
fi
`;
}

function groupFunction(command: DescribedCommand): string {
  const names = command.subcommands.map(({ path, summary }) =>
    quote(`${path.at(-1)}:${escapeSpec(summary)}`),
  );
  const cases = command.subcommands.map((sub) => `        ${sub.path.at(-1)}) ${nameOf(sub)} ;;`);
  return `${nameOf(command)}() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C ${command.options.map((option) => quote(spec(option))).join(" ")} '1: :->command' '*::arg:->args'
  case "$state" in
    command)
      local -a commands
      commands=(${names.join(" ")})
      _describe command commands ;;
    args)
      case "$line[1]" in
${cases.join("\n")}
      esac ;;
  esac
}`;
}

function leafFunction(command: DescribedCommand): string {
  const first = command.choices.length > 0 ? [`1:value:(${command.choices.join(" ")})`] : [];
  const specs = [...command.options.map(spec), ...first, "*: :_default"];
  return `${nameOf(command)}() {
  _arguments ${specs.map(quote).join(" \\\n    ")}
}`;
}

function spec({ long, summary, takesValue, takesPath, choices }: DescribedOption): string {
  const value = takesPath ? "_files" : choices.length > 0 ? `(${choices.join(" ")})` : " ";
  return `*${long}[${escapeSpec(summary)}]${takesValue ? `:value:${value}` : ""}`;
}

function nameOf({ path }: DescribedCommand): string {
  return ["_debug_bridge", ...path].join("_").replaceAll("-", "_");
}

const escapeSpec = (text: string): string => text.replaceAll(/[[\]:]/g, "\\$&");
