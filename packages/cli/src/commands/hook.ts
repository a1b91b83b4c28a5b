import { realpathSync } from "node:fs";
import { Argument, Command } from "commander";
import { parseCount } from "../agent/agent-command.js";
import {
  HOOK_AGENTS,
  type HookAgent,
  readSettings,
  settingsFile,
  withHooks,
  withoutHooks,
  writeSettings,
} from "../agent/hook-settings.js";

interface HookOptions {
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT_S = 600;

const EXAMPLES = `
Examples:
  debug-bridge hook install claude-code       then start claude, and: debug-bridge breakpoint add tool Bash
  debug-bridge hook install codex --dry-run   only show what would be written
  debug-bridge hook uninstall claude-code

Without a subcommand it is what the agent calls: it reads the hook's JSON on standard input, records it, holds the agent
while it is paused, and prints the decision. When nothing is to be done it prints nothing and ends at once.`;

export function hookCommand(): Command {
  const command = new Command("hook")
    .description("stop Claude Code or Codex at breakpoints, through their hooks")
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText("after", EXAMPLES);
  for (const action of ["install", "uninstall"] as const) {
    const sub = command
      .command(action)
      .description(action === "install" ? "write the hooks into an agent's settings" : "take them out again")
      .addArgument(new Argument("<agent>", "whose").choices([...HOOK_AGENTS]))
      .option("--file <file>", "another settings file, such as .claude/settings.local.json of a project")
      .option("--dry-run", "show what would be written, and write nothing");
    if (action === "install")
      sub.option(
        "--timeout <seconds>",
        "how long the agent can be held at most",
        parseCount,
        DEFAULT_TIMEOUT_S,
      );
    sub.action((agent: HookAgent, options: HookOptions) => change(action, agent, options));
  }
  return command;
}

function change(action: "install" | "uninstall", agent: HookAgent, options: HookOptions): void {
  const file = options.file ?? settingsFile(agent);
  const before = readSettings(file);
  const after =
    action === "install"
      ? withHooks(before, agent, thisProgram(), options.timeout ?? DEFAULT_TIMEOUT_S)
      : withoutHooks(before);
  process.stdout.write(`${JSON.stringify({ hooks: after.hooks ?? {} }, null, 2)}\n`);
  if (JSON.stringify(after) === JSON.stringify(before)) {
    process.stderr.write(`${file} needs no change\n`);
    return;
  }
  if (!options.dryRun) writeSettings(file, after);
  process.stderr.write(
    `${options.dryRun ? "would write" : "wrote"} ${file}${agent === "codex" && action === "install" ? "; Codex asks you to trust the hooks at its next start" : ""}\n`,
  );
}

/** How the agent's shell starts this program, wherever it is started from. */
function thisProgram(): string {
  return [process.execPath, realpathSync(process.argv[1] ?? "")].map((path) => `"${path}"`).join(" ");
}
