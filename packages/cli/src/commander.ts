import type { Command } from "commander";
import { helpWidth } from "./terminal/help.js";
import { printMessageText, printText } from "./terminal/output.js";

/** Applies the same settings to a command and all commands below it: help, errors, output and exit codes. */
export function prepare(command: Command, name = command.name()): Command {
  command
    .exitOverride()
    .showHelpAfterError(`(run ${name} --help for the options)`)
    .showSuggestionAfterError()
    .helpOption("-h, --help", "print help")
    .configureHelp({
      subcommandTerm: (sub) => sub.name(),
      // `words` are explained by the usage line.
      visibleArguments: (each) => each.registeredArguments.filter((argument) => argument.name() !== "words"),
    })
    .configureOutput({
      writeOut: printText,
      writeErr: printMessageText,
      getOutHelpWidth: helpWidth,
      getErrHelpWidth: helpWidth,
    });
  if (command.commands.length > 0) command.helpCommand(false);
  for (const sub of command.commands) prepare(sub, `${name} ${sub.name()}`);
  return command;
}
