import type { Command } from "commander";

/** What completion needs to know of a command. */
export interface DescribedCommand {
  /** The words up to the command: `["agent", "breakpoint", "add"]`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly DescribedOption[];
  readonly subcommands: readonly DescribedCommand[];
  /** Values of the first argument, if it has a fixed list. */
  readonly choices: readonly string[];
}

export interface DescribedOption {
  readonly long: string;
  readonly short: string | undefined;
  readonly summary: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  /** Whether its value is a file or folder. */
  readonly takesPath: boolean;
}

const HELP: DescribedOption = {
  long: "--help",
  short: "-h",
  summary: "print help",
  takesValue: false,
  choices: [],
  takesPath: false,
};

/** The whole program as data. */
export function describeCommands(commands: readonly Command[]): DescribedCommand {
  const version = { ...HELP, long: "--version", short: "-V", summary: "print the version" };
  return {
    path: [],
    summary: "",
    options: [HELP, version],
    subcommands: commands.map((command) => describe(command, [])),
    choices: [],
  };
}

function describe(command: Command, parents: readonly string[]): DescribedCommand {
  const path = [...parents, command.name()];
  return {
    path,
    summary: command.description(),
    options: [
      ...command.options.map((option) => ({
        long: option.long ?? "",
        short: option.short,
        summary: option.description,
        takesValue: option.required || option.optional,
        choices: option.argChoices ?? [],
        takesPath: /<(dir|file)>/.test(option.flags),
      })),
      HELP,
    ],
    subcommands: command.commands.map((sub) => describe(sub, path)),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
}

/** The command and all commands below it. */
export function flatten(command: DescribedCommand): DescribedCommand[] {
  return [command, ...command.subcommands.flatMap(flatten)];
}

/** A word in single quotes, as POSIX shells read it. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
