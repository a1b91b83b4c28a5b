import { type DescribedCommand, flatten } from "./tree.js";

/** A completion script for bash. */
export function bashCompletion(root: DescribedCommand): string {
  const commands = flatten(root);
  const paths = commands.filter(({ path }) => path.length > 0).map(({ path }) => path.join(" "));
  const words = commands.map(
    ({ path, subcommands, options, choices }) =>
      `    "${path.join(" ")}") words="${[
        ...subcommands.map((sub) => sub.path.at(-1)),
        ...choices,
        ...options.flatMap(({ long, short }) => (short ? [short, long] : [long])),
      ].join(" ")}" ;;`,
  );
  return `# bash completion of debug-bridge. Load it with: source <(debug-bridge completion bash)
_debug_bridge() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local path="" candidate word words i
  COMPREPLY=()
  case "$previous" in
${valueCases(commands)}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    candidate="\${path:+$path }$word"
    case "$candidate" in
      ${paths.map((path) => `"${path}"`).join(" | \\\n      ")}) path="$candidate" ;;
    esac
  done
  case "$path" in
${words.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _debug_bridge debug-bridge
`;
}

/** Options whose values are paths or have a fixed list. */
function valueCases(commands: readonly DescribedCommand[]): string {
  const options = commands.flatMap((command) => command.options);
  const paths = new Set(options.filter((option) => option.takesPath).map(({ long }) => long));
  const lists = new Map(
    options.filter(({ choices }) => choices.length > 0).map(({ long, choices }) => [long, choices.join(" ")]),
  );
  const reply = (pattern: string, compgen: string): string =>
    `    ${pattern}) COMPREPLY=($(compgen ${compgen} -- "$current")); return ;;`;
  return [
    reply([...paths].join(" | "), "-f"),
    ...[...lists].map(([long, choices]) => reply(long, `-W "${choices}"`)),
  ].join("\n");
}
