import { Command } from "commander";
import { withSession } from "../agent/agent-command.js";
import { chooseSession, type SessionChoice } from "../agent/choose-session.js";

interface AttachOptions extends SessionChoice {
  readonly plain?: boolean;
}

export function attachCommand(): Command {
  return withSession(new Command("attach"))
    .description("watch an agent and steer it, in one view")
    .option("--plain", "lines instead of a screen, as when it is piped")
    .addHelpText(
      "after",
      `
On a terminal it is a screen: the timeline, the messages, the breakpoints, and a key for each command, which it lists.
Plain, type a command and press Enter: pause, resume, step, inspect, inject, set, cancel, breakpoint, checkpoint, rewind,
branch; help lists them, quit leaves. Whichever way you leave, the agent goes on.

Examples:
  debug-bridge attach
  debug-bridge attach -s ab12
  echo pause | debug-bridge attach`,
    )
    .action(attach);
}

/** The screen takes a moment to load, so that it is loaded only where it is shown. */
async function attach(options: AttachOptions): Promise<void> {
  const session = chooseSession(options);
  if (options.plain || !process.stdin.isTTY || !process.stdout.isTTY) {
    const { attachPlain } = await import("../agent/attach/plain.js");
    await attachPlain(session);
    return;
  }
  const { firstLook } = await import("../agent/attach/first-look.js");
  firstLook(session, process.stdout);
  // Ink draws nothing where these are set, as dev containers do; two terminal ends say that somebody looks.
  for (const name of ["CI", "CONTINUOUS_INTEGRATION"]) delete process.env[name];
  const { attachScreen } = await import("../agent/attach/run-screen.js");
  const over = await attachScreen(session);
  if (over !== undefined) process.stderr.write(`${over}\n`);
}
