import { Argument, Command, Option } from "commander";
import { DEFAULT_TIMEOUT_S } from "../../agent/hook/hook-arguments.js";
import {
  HOOK_AGENTS,
  type HookAgent,
  readSettings,
  settingsFile,
  withHooks,
  withoutHooks,
  writeSettings,
} from "../../agent/hook/hook-settings.js";
import { hookStatus, statusLines } from "../../agent/hook/hook-status.js";
import { readSpool } from "../../agent/hook/spool.js";
import { parseSeconds, withHome, withJson } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine, printMessage, toJson } from "../../terminal/output.js";
import { hookProgram } from "../../this-program.js";
import { UsageError } from "../../usage-error.js";

interface HookOptions {
  readonly file?: string;
  readonly home?: string;
  readonly dryRun?: boolean;
  readonly holdTimeout?: number;
  readonly onTimeout?: "allow" | "deny";
  readonly json?: boolean;
}

const SUMMARIES = {
  install: "write the hooks into the settings of an agent",
  uninstall: "remove the hooks from the settings of an agent",
  status: "show whether the hooks are installed and used",
} as const;

export function hookCommand(): Command {
  const command = new Command("hook");
  for (const action of ["install", "uninstall", "status"] as const) {
    const sub = withJson(new Command(action))
      .description(SUMMARIES[action])
      .addArgument(
        new Argument(action === "status" ? "[agent]" : "<agent>", "the agent").choices([...HOOK_AGENTS]),
      )
      .option("--file <file>", "another settings file, such as .claude/settings.local.json");
    if (action === "status") withHome(sub).action(status);
    else {
      sub.option("--dry-run", "show what would be written, and write nothing");
      if (action === "install")
        sub
          .addOption(
            new Option("--hold-timeout <time>", "the longest time that a hook can hold the agent")
              .argParser(parseSeconds)
              .default(DEFAULT_TIMEOUT_S, "10m"),
          )
          .addOption(
            new Option("--on-timeout <what>", "what happens to a held call when nobody answers")
              .choices(["allow", "deny"])
              .default("allow"),
          );
      sub.action((agent: HookAgent, options: HookOptions) => change(action, agent, options));
    }
    addDetails(sub, {
      examples: [`debug-bridge hook ${action} claude-code`, `debug-bridge hook ${action} codex`],
    });
    command.addCommand(sub);
  }
  return addDetails(command, {
    notes:
      "Agents call it without a subcommand: it reads the hook's JSON from stdin, records it, holds the agent while it is paused, and prints the decision. When there is nothing to do, it prints nothing and ends at once.",
    examples: [
      "debug-bridge hook install claude-code",
      "debug-bridge hook install codex --dry-run",
      "debug-bridge hook uninstall claude-code",
    ],
  });
}

async function status(agent: HookAgent | undefined, options: HookOptions): Promise<void> {
  await readSpool(options);
  if (agent === undefined) return statusOfAll(options);
  const found = await hookStatus(agent, options);
  if (options.json) await printJson(found);
  else for (const line of statusLines(found)) printLine(line);
}

async function statusOfAll({ file, home, json }: HookOptions): Promise<void> {
  if (file !== undefined) throw new UsageError("name the agent whose settings are in --file");
  const agents = await Promise.all(HOOK_AGENTS.map((agent) => hookStatus(agent, { home })));
  if (json) await printJson({ agents });
  else
    for (const found of agents) for (const line of statusLines(found)) printLine(`${found.agent}: ${line}`);
}

async function change(
  action: "install" | "uninstall",
  agent: HookAgent,
  options: HookOptions,
): Promise<void> {
  const file = options.file ?? settingsFile(agent);
  const before = readSettings(file, agent);
  const after =
    action === "install"
      ? withHooks(before, agent, hookProgram(), {
          timeoutS: options.holdTimeout ?? DEFAULT_TIMEOUT_S,
          ...(options.onTimeout === undefined ? {} : { onTimeout: options.onTimeout }),
        })
      : withoutHooks(before);
  const isChanged = JSON.stringify(after) !== JSON.stringify(before);
  const isWritten = isChanged && !options.dryRun;
  const hooks = after.hooks ?? {};
  if (isWritten) writeSettings(file, after, agent);
  if (options.json) {
    await printJson({ agent, file, written: isWritten, hooks });
    return;
  }
  printLine(toJson({ hooks }, 2));
  if (!isChanged) printMessage(`${file} needs no change`);
  else {
    const trust =
      agent === "codex" && action === "install"
        ? "; Codex asks you to trust the hooks at its next start"
        : "";
    printMessage(`${isWritten ? "wrote" : "would write"} ${file}${trust}`);
  }
}
