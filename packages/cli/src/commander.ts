import { type Command, Help, type Option } from "commander";
import { helpWidth } from "./terminal/help.js";
import { printMessageText, printText } from "./terminal/output.js";

/** An option that can be given several times begins empty, which is not worth saying. */
function withoutEmptyDefault(option: Option): Option {
  const { defaultValue } = option;
  const isEmpty =
    typeof defaultValue === "object" && defaultValue !== null && Object.keys(defaultValue).length === 0;
  return isEmpty ? Object.create(option, { defaultValue: { value: undefined } }) : option;
}

/** Applies the same settings to a command and all commands below it: help, errors, output and exit codes. */
export function prepare(command: Command, name = command.name()): Command {
  command
    .exitOverride()
    .showHelpAfterError(`(run ${name} --help for the options)`)
    .showSuggestionAfterError()
    .helpOption("-h, --help", "print help")
    .configureHelp({
      subcommandTerm: (sub) => sub.name(),
      optionDescription: (option) => new Help().optionDescription(withoutEmptyDefault(option)),
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
