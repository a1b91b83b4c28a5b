import { activeSessions, readLater } from "@debug-bridge/journal";
import { type Command, Option } from "commander";
import { type CommonOptions, parseMilliseconds, withCommon, withDir } from "../../options.js";
import { printJson, printLine, printMessage } from "../../terminal/output.js";
import { paint } from "../../terminal/style.js";
import { UsageError } from "../../usage-error.js";
import { assertRunning, chooseSession, rootFor, type SessionChoice } from "../session/choose-session.js";
import { type CommandAnswer, sendCommand } from "./send-command.js";

export interface ControlOptions extends SessionChoice, Omit<CommonOptions, "home"> {
  /** For agents that start later. */
  readonly later?: boolean;
  readonly timeout: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Adds the options that choose the session of an agent. */
export function withSession(command: Command): Command {
  return withDir(command.option("-s, --session <id>", "the session to use"));
}

/** A command that controls a running agent. */
export function withControl(command: Command): Command {
  return withCommon(withSession(command)).addOption(
    new Option("--timeout <time>", "how long to wait")
      .argParser(parseMilliseconds)
      .default(DEFAULT_TIMEOUT_MS, "10s"),
  );
}

/** A command that can also be given before an agent runs. */
export function withLater(command: Command): Command {
  return command.option("--later", "for agents that start later; the default while no agent runs");
}

/** Sends the command, prints the answer, and fails when the agent refused. */
export async function control(
  type: string,
  data: Readonly<Record<string, unknown>>,
  options: ControlOptions,
  show: (answer: CommandAnswer) => string = () => "",
): Promise<void> {
  const { id, answer } = options.hub
    ? await sendOverHub(type, data, options)
    : isForLater(type, options)
      ? await keepForLater(type, data, options)
      : await sendOverFiles(type, data, options);
  if (!answer.success) process.exitCode = 1;
  if (options.json) await printJson(answer);
  else if (!answer.success) printMessage(`${paint("red", "✗")} ${type}: ${answer.error}`);
  else {
    const note = answer.queued ? "will run at the agent's next tool call" : show(answer);
    printLine(`${paint("green", "✓")} ${type} ${paint("dim", id)}${note === "" ? "" : `  ${note}`}`);
  }
}

/** What can be said before an agent runs. Without an agent, it is for those that start later. */
const LATER_COMMANDS = new Set(["breakpoint", "pause"]);

function isForLater(type: string, options: ControlOptions): boolean {
  if (options.later !== undefined) return options.later;
  if (options.session !== undefined || options.dir !== undefined) return false;
  const root = rootFor(options);
  const canWait = LATER_COMMANDS.has(type) || (type === "resume" && readLater(root).pause);
  return canWait && activeSessions(root).length === 0;
}

async function keepForLater(
  type: string,
  data: Readonly<Record<string, unknown>>,
  options: ControlOptions,
): Promise<Sent> {
  if (options.session !== undefined || options.dir !== undefined)
    throw new UsageError("--later is for agents that start later; leave --session and --dir out");
  const { executeLater } = await import("@debug-bridge/agent/later");
  const answer = { commandId: "", type, success: true, later: true };
  return {
    id: "for agents that start later",
    // What is left out on the command line is left out in the file.
    answer: { ...answer, data: executeLater(rootFor(options), type, JSON.parse(JSON.stringify(data))) },
  };
}

interface Sent {
  readonly id: string;
  readonly answer: CommandAnswer;
}

async function sendOverFiles(
  type: string,
  data: Readonly<Record<string, unknown>>,
  options: ControlOptions,
): Promise<Sent> {
  const session = chooseSession(options);
  assertRunning(session, options);
  return { id: session.id, answer: await sendCommand(session, type, data, options.timeout) };
}

/** To an agent of a hub, which may be on another machine. */
async function sendOverHub(
  type: string,
  data: Readonly<Record<string, unknown>>,
  options: ControlOptions,
): Promise<Sent> {
  const [{ HubClient, requireHub }, { chooseSession: chooseFrom }] = await Promise.all([
    import("@debug-bridge/client"),
    import("@debug-bridge/mcp"),
  ]);
  const found = await requireHub(options);
  const hub = new HubClient({ hub: async () => found, name: "cli" });
  const id = options.session ?? chooseFrom(await hub.sessions(), "agent").id;
  const { success, value, error, message } = await hub.command(id, { type, data });
  const answer = {
    commandId: "",
    type,
    success: success === true,
    ...(value === undefined ? {} : { data: value }),
    ...(success === true ? {} : { error: String(message ?? error) }),
  };
  return { id, answer };
}
