import { joinAsDebugger } from "@debug-bridge/journal";
import { Command } from "commander";
import { withSession } from "../../agent/command/agent-command.js";
import { type AgentSession, chooseSession, type SessionChoice } from "../../agent/session/choose-session.js";
import { waitForSession } from "../../agent/session/wait-for-session.js";
import { withHome } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printMessage } from "../../terminal/output.js";

interface AttachOptions extends SessionChoice {
  readonly wait?: boolean;
  readonly plain?: boolean;
}

export function attachCommand(): Command {
  const command = withSession(withHome(new Command("attach")))
    .description("watch and control an agent in one view")
    .argument("[session]", "id, end of an id, or name (default: the current one)")
    .option("--wait", "wait for an agent that starts later")
    .option("--plain", "print lines instead of a screen, as when piped")
    .action(attach);
  return addDetails(command, {
    notes:
      "On a terminal it is a screen with the timeline, the messages, the breakpoints, and a key for each command. With --plain, type a command and press Enter: pause, resume, step, inspect, inject, set, cancel, breakpoint, checkpoint, rewind, branch; help lists them, quit leaves. Leaving does not change the agent: a paused agent stays paused.",
    examples: [
      "debug-bridge agent attach",
      "debug-bridge agent attach ab12",
      "debug-bridge agent attach --wait",
      "echo pause | debug-bridge agent attach",
    ],
  });
}

async function attach(word: string | undefined, options: AttachOptions): Promise<void> {
  const choice = word === undefined ? options : { ...options, session: word };
  const session = options.wait ? await waitForSession(choice) : chooseSession(choice);
  const leave = session.about?.adapter === "hook" ? joinAsDebugger(session.folder) : () => {};
  try {
    await show(session, options);
  } finally {
    leave();
  }
}

/** The screen takes a moment to load, so it is loaded only where it is shown. */
async function show(session: AgentSession, options: AttachOptions): Promise<void> {
  if (options.plain || !process.stdin.isTTY || !process.stdout.isTTY) {
    const { attachPlain } = await import("../../agent/attach/plain.js");
    await attachPlain(session);
    return;
  }
  const { firstLook } = await import("../../agent/attach/first-look.js");
  firstLook(session, process.stdout);
  // Ink draws nothing if these are set, as in dev containers. Two terminal ends mean that somebody watches.
  for (const name of ["CI", "CONTINUOUS_INTEGRATION"]) delete process.env[name];
  const { attachScreen } = await import("../../agent/attach/run-screen.js");
  const over = await attachScreen(session);
  if (over !== undefined) printMessage(over);
}
