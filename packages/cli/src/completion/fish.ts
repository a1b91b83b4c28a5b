import { type DescribedCommand, flatten } from "./tree.js";

/** A completion script for fish. */
export function fishCompletion(root: DescribedCommand): string {
  const lines = flatten(root).flatMap((command) => {
    const condition = conditionOf(command);
    return [
      ...command.subcommands.map(({ path, summary }) =>
        line(condition, `-a ${path.at(-1)}`, `-d ${quoted(summary)}`),
      ),
      ...(command.choices.length > 0 ? [line(condition, `-a ${quoted(command.choices.join(" "))}`)] : []),
      ...command.options.map(({ long, short, summary, takesValue, takesPath, choices }) =>
        line(
          condition,
          ...(short ? [`-s ${short.slice(1)}`] : []),
          `-l ${long.slice(2)}`,
          ...(takesPath ? ["-r -F"] : takesValue ? ["-x"] : []),
          ...(choices.length > 0 ? [`-a ${quoted(choices.join(" "))}`] : []),
          `-d ${quoted(summary)}`,
        ),
      ),
    ];
  });
  return `# fish completion of debug-bridge.
function __debug_bridge_at
    set -l words (commandline -opc)[2..-1]
    set -l path
    for word in $words
        string match -q -- '-*' $word; or set -a path $word
    end
    set -l wanted $argv
    test (count $wanted) -gt 0; or begin
        test (count $path) -eq 0
        return
    end
    test (count $path) -ge (count $wanted); or return 1
    test "$path[1..(count $wanted)]" = "$wanted"
end
complete -c debug-bridge -f
${lines.join("\n")}
`;
}

function conditionOf({ path }: DescribedCommand): string {
  return `-n ${quoted(["__debug_bridge_at", ...path].join(" "))}`;
}

function line(...parts: readonly string[]): string {
  return ["complete -c debug-bridge", ...parts].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
