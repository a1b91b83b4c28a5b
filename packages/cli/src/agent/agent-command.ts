import { type Command, InvalidArgumentError } from "commander";
import { paint } from "../terminal.js";
import { chooseSession, mustLive, type SessionChoice } from "./choose-session.js";
import { type CommandAnswer, sendCommand } from "./send-command.js";

export interface ControlOptions extends SessionChoice {
  readonly json?: boolean;
  readonly timeout: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Timers count no further than some weeks; what is longer would be over at once. */
const LONGEST_MS = 86_400_000;

/** Adds the options that say which session is meant. */
export function withSession(command: Command): Command {
  return command
    .option(
      "-s, --session <id>",
      "the session, by its id, the end of it or its name (default: the current one)",
    )
    .option("--dir <dir>", "where the sessions are (default: $DEBUG_BRIDGE_HOME or ~/.debug-bridge)");
}

/** A command line that gives an agent one command. */
export function withControl(command: Command): Command {
  return withSession(command)
    .option("--json", "print the answer as JSON")
    .option("--timeout <ms>", "how long to wait for the answer", parseMilliseconds, DEFAULT_TIMEOUT_MS);
}

/** Gives the command, prints the answer, and fails when the agent refused. */
export async function control(
  type: string,
  data: Readonly<Record<string, unknown>>,
  options: ControlOptions,
  show: (answer: CommandAnswer) => string = () => "",
): Promise<void> {
  const session = chooseSession(options);
  mustLive(session, options.dir);
  const answer = await sendCommand(session, type, data, options.timeout);
  if (options.json) process.stdout.write(`${JSON.stringify(answer)}\n`);
  if (!answer.success) {
    process.exitCode = 1;
    if (!options.json) process.stderr.write(`${paint("red", "✗")} ${type}: ${answer.error}\n`);
    return;
  }
  if (options.json) return;
  const note = answer.queued ? "will be taken at the agent's next tool call" : show(answer);
  process.stdout.write(
    `${paint("green", "✓")} ${type} ${paint("dim", session.id)}${note === "" ? "" : `  ${note}`}\n`,
  );
}

/** Milliseconds: `500`, `500ms`, `30s`, `5m`. */
export function parseMilliseconds(text: string): number {
  const [, number, unit = "ms"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  const value = Math.round(Number(number) * { ms: 1, s: 1_000, m: 60_000 }[unit as "ms" | "s" | "m"]);
  if (number !== undefined && value >= 1 && value <= LONGEST_MS) return value;
  throw new InvalidArgumentError("A time looks like 500ms, 30s or 5m, and is a day at most.");
}

/** A whole number from 1 on. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("A whole number from 1 on.");
}
