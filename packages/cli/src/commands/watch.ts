import { Command } from "commander";
import { withSession } from "../agent/agent-command.js";
import { chooseSession, type SessionChoice } from "../agent/choose-session.js";
import { isWanted, parseTypes } from "../agent/event-filter.js";
import { eventLine } from "../agent/event-line.js";
import { followSession } from "../agent/follow-session.js";
import { paint } from "../terminal.js";

interface WatchOptions extends SessionChoice {
  readonly filter?: Set<string>;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function watchCommand(): Command {
  return withSession(new Command("watch"))
    .description("show what an agent does, as it happens, until its session ends")
    .option("-f, --filter <types>", "only events of these types, separated by commas", parseTypes)
    .option("--all", "begin with what happened so far")
    .option("--json", "one JSON event a line")
    .addHelpText(
      "after",
      `
Examples:
  debug-bridge watch
  debug-bridge watch --filter tool_call_start,tool_call_end
  debug-bridge watch --dir ~/.other-agent          an agent that writes the same files elsewhere
  debug-bridge watch --json | jq .data`,
    )
    .action(watch);
}

async function watch(options: WatchOptions): Promise<void> {
  const session = chooseSession(options);
  const note = (text: string): void => {
    process.stderr.write(`${paint("dim", text, process.stderr)}\n`);
  };
  await new Promise<void>((resolve) => {
    const end = (): void => {
      stop();
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
    const stop = followSession(session, options.all ? 0 : "end", {
      onEvent: (event, line) => {
        if (!isWanted(options.filter, event.type)) return;
        process.stdout.write(`${options.json ? line : eventLine(event)}\n`);
      },
      onOver: (why) => {
        note(why);
        resolve();
      },
    });
    note(`watching ${session.id} (Ctrl+C ends)`);
  });
}
