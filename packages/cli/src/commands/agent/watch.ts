import { Command } from "commander";
import { withSession } from "../../agent/command/agent-command.js";
import { isWanted, parseTypes } from "../../agent/events/event-filter.js";
import { eventLine } from "../../agent/events/event-line.js";
import { chooseSession, type SessionChoice } from "../../agent/session/choose-session.js";
import { followSession } from "../../agent/session/follow-session.js";
import { waitForSession } from "../../agent/session/wait-for-session.js";
import { withHome, withJson } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine, printMessage } from "../../terminal/output.js";
import { paint } from "../../terminal/style.js";

interface WatchOptions extends SessionChoice {
  readonly wait?: boolean;
  readonly types?: Set<string>;
  readonly fromStart?: boolean;
  readonly json?: boolean;
}

export function watchCommand(): Command {
  const command = withSession(withJson(withHome(new Command("watch"))))
    .description("show what an agent does until its session ends")
    .argument("[session]", "id, end of an id, or name (default: the current one)")
    .option("--wait", "wait for an agent that starts later")
    .option("--types <types>", "show only events of these types: a,b", parseTypes)
    .option("--from-start", "start with the events so far")
    .action(watch);
  return addDetails(command, {
    notes: "With --json it prints one event per line.",
    examples: [
      "debug-bridge agent watch",
      "debug-bridge agent watch --types tool_call_start,tool_call_end",
      "debug-bridge agent watch --dir ~/.other-agent",
      "debug-bridge agent watch --json | jq .data",
    ],
  });
}

async function watch(word: string | undefined, options: WatchOptions): Promise<void> {
  const choice = word === undefined ? options : { ...options, session: word };
  const session = options.wait ? await waitForSession(choice) : chooseSession(choice);
  const note = (text: string): void => printMessage(paint("dim", text));
  await new Promise<void>((resolve) => {
    const end = (): void => {
      stop();
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
    const stop = followSession(session, options.fromStart ? 0 : "end", {
      onEvent: (event) => {
        if (!isWanted(options.types, event.type)) return;
        if (options.json) void printJson(event);
        else printLine(eventLine(event));
      },
      onOver: (why) => {
        note(why);
        resolve();
      },
    });
    note(`watching ${session.id} (Ctrl+C to stop)`);
  });
}
