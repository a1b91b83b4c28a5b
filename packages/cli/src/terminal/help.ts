import type { Command } from "commander";

const DEFAULT_WIDTH = 80;

/** The width that help wraps at. */
export function helpWidth(): number {
  return process.stdout.columns || DEFAULT_WIDTH;
}

/** Paragraphs wrapped at the width of the terminal. */
export function wrap(text: string, width = helpWidth()): string {
  return text
    .split("\n")
    .map((line) => {
      const [, indent = ""] = /^(\s*)/.exec(line) ?? [];
      const lines: string[] = [];
      let current = "";
      for (const word of line.trim().split(/\s+/)) {
        if (current !== "" && indent.length + current.length + 1 + word.length > width) {
          lines.push(indent + current);
          current = word;
        } else current = current === "" ? word : `${current} ${word}`;
      }
      return [...lines, indent + current].join("\n");
    })
    .join("\n");
}

/** Adds notes and examples after the options of a command. Notes wrap; examples stay as they are. */
export function addDetails(
  command: Command,
  details: { readonly notes?: string; readonly examples: readonly string[] },
): Command {
  return command.addHelpText("after", () => {
    const notes = details.notes === undefined ? "" : `\n${wrap(details.notes)}\n`;
    return `${notes}\nExamples:\n${details.examples.map((line) => `  ${line}`).join("\n")}`;
  });
}
