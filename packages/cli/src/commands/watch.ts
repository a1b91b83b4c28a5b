import { existsSync } from "node:fs";
import { followLines, isActive, readSession } from "@debug-bridge/journal";
import { Command } from "commander";
import { withSession } from "../agent/agent-command.js";
import { type AgentSession, chooseSession, type SessionChoice } from "../agent/choose-session.js";
import { isWanted, parseTypes } from "../agent/event-filter.js";
import { eventLine, parseEvent } from "../agent/event-line.js";
import { paint } from "../terminal.js";

interface WatchOptions extends SessionChoice {
  readonly filter?: Set<string>;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** How often it is checked that the agent still lives. */
const CHECK_EVERY_MS = 1_000;

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
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => end());
    // A reader that goes away (`| head`) ends the command as it should.
    process.stdout.on("error", () => end());
    const end = (note?: string): void => {
      clearInterval(alive);
      following.close();
      if (note) process.stderr.write(`${paint("dim", note, process.stderr)}\n`);
      resolve();
    };
    const alive = setInterval(() => {
      if (!isOver(session)) return;
      following.read();
      end(`the session ${session.id} is over`);
    }, CHECK_EVERY_MS);
    const following = followLines(session.events, {
      from: options.all ? 0 : "end",
      onLine: ({ text }) => {
        const event = parseEvent(text);
        if (!event) return;
        if (isWanted(options.filter, event.type)) print(options.json ? text : eventLine(event));
        if (event.type === "session_end") setImmediate(end);
      },
    });
    process.stderr.write(`${paint("dim", `watching ${session.id} (Ctrl+C ends)`, process.stderr)}\n`);
  });
}

/** A session without a `session.json` is of an agent that we know nothing of: it may go on at any time. */
function isOver({ folder }: AgentSession): boolean {
  const about = readSession(folder);
  return !existsSync(folder) || (about !== undefined && !isActive(about));
}
