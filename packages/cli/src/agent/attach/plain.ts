import { statSync } from "node:fs";
import { clearLine, createInterface, cursorTo } from "node:readline";
import { lastLines } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import { Command, CommanderError } from "commander";
import { prepare } from "../../commander.js";
import { breakpointCommand } from "../../commands/agent/breakpoint.js";
import { controlCommands } from "../../commands/agent/control.js";
import { printLine, printMessage } from "../../terminal/output.js";
import { paint } from "../../terminal/style.js";
import { eventLine, type FileEvent, parseEvent } from "../events/event-line.js";
import type { AgentSession } from "../session/choose-session.js";
import { followSession } from "../session/follow-session.js";
import { wordsOf } from "./words.js";

const MAX_FIRST_EVENTS = 10;
/** The command that was typed prints its own answer. */
const HIDDEN_TYPES = new Set(["command_response", "command_executed"]);

/** Prints what an agent does and reads commands line by line: without a terminal, or if no screen is wanted. */
export async function attachPlain(session: AgentSession): Promise<void> {
  const input = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: "> ",
    terminal: isTerminal(),
  });
  /** Prints above the line that is being typed. */
  const print = (text: string): void => {
    if (isTerminal()) {
      clearLine(process.stdout, 0);
      cursorTo(process.stdout, 0);
    }
    printLine(text);
    if (isTerminal()) input.prompt(true);
  };
  const show = (event: FileEvent): void => {
    if (!HIDDEN_TYPES.has(event.type)) print(eventLine(event));
  };
  const first = lastLines(session.events, MAX_FIRST_EVENTS, statSync(session.events).size);
  for (const { text } of first) {
    const event = parseEvent(text);
    if (event) show(event);
  }
  print(paint("dim", `attached to ${session.id}; type help, or quit`));
  let pending: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    const stop = followSession(session, first.at(-1)?.end ?? 0, {
      onEvent: show,
      onOver: (why) => {
        print(paint("dim", why));
        resolve();
      },
    });
    input.on("line", (line) => {
      const words = wordsOf(line);
      if (words[0] === "quit" || words[0] === "exit") input.close();
      else
        pending = pending
          .then(() => runLine(words, session))
          .then(() => isTerminal() && input.prompt())
          .then(() => {});
    });
    // The commands of a script that was piped in are finished first.
    input.on("close", () => {
      void pending.then(() => {
        stop();
        resolve();
      });
    });
  });
  input.close();
  process.stdin.destroy();
  // A refused command has printed its error; the view itself succeeded.
  process.exitCode = 0;
}

/** Runs a typed command as the command line would, on this session. */
async function runLine(words: readonly string[], session: AgentSession): Promise<void> {
  if (words.length === 0) return;
  const program = new Command("").exitOverride().helpCommand(true).showSuggestionAfterError();
  for (const command of [...controlCommands(), breakpointCommand()]) program.addCommand(command);
  prepare(program);
  const target = words[0] === "help" ? [] : ["--dir", session.folder];
  try {
    await program.parseAsync([...words, ...target], { from: "user" });
  } catch (thrown) {
    // Commander has printed its own.
    if (!(thrown instanceof CommanderError)) printMessage(BridgeError.from(thrown).message);
  }
}

function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}
