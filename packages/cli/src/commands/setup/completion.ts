import { Argument, Command } from "commander";
import { bashCompletion } from "../../completion/bash.js";
import { fishCompletion } from "../../completion/fish.js";
import { type DescribedCommand, describeCommands } from "../../completion/tree.js";
import { zshCompletion } from "../../completion/zsh.js";
import { addDetails } from "../../terminal/help.js";
import { printText } from "../../terminal/output.js";

const SHELLS: Readonly<Record<string, (root: DescribedCommand) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function completionCommand(loadAll: () => Promise<Command[]>): Command {
  const command = new Command("completion")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SHELLS)))
    .action(async (shell: string) => {
      const generate = SHELLS[shell] as (root: DescribedCommand) => string;
      printText(generate(describeCommands(await loadAll())));
    });
  return addDetails(command, {
    examples: [
      "source <(debug-bridge completion bash)",
      "debug-bridge completion zsh > ~/.zfunc/_debug-bridge",
      "debug-bridge completion fish > ~/.config/fish/completions/debug-bridge.fish",
    ],
  });
}
