import { activeSessions, isActive, readSessions, refreshIndex } from "@debug-bridge/journal";
import { type SessionFile, stripControlCharacters } from "@debug-bridge/protocol";
import { Command } from "commander";
import { rootFor } from "../agent/choose-session.js";
import { runningHub } from "../running-hub.js";
import { paint } from "../terminal.js";

interface Summary {
  readonly id: string;
  readonly kind: string;
  readonly connected: boolean;
  readonly apps: number;
  readonly agents: number;
  readonly sequence: number;
  readonly appName?: string;
  readonly url?: string;
}

/** An agent's session, from its files. */
interface AgentSummary {
  readonly id: string;
  readonly kind: "agent";
  readonly connected: boolean;
  readonly pid: number;
  readonly startTime: string;
  readonly cwd: string;
  readonly name?: string;
  readonly provider?: string;
  readonly model?: string;
}

interface SessionsOptions {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly hub?: string;
  readonly home?: string;
  readonly dir?: string;
}

export function sessionsCommand(): Command {
  return new Command("sessions")
    .description("list all sessions: agents that run, and what is connected to the hub")
    .option("--json", "print them as JSON")
    .option("--all", "also agents that ended, whose recordings are kept")
    .option("--hub <url>", "address of the hub (default: $DEBUG_BRIDGE_HUB, else the one of this home)")
    .option("--home <dir>", "home of the hub, for its token, and of the agents")
    .option("--dir <dir>", "where else the agents' sessions are")
    .addHelpText("after", "\nExamples:\n  debug-bridge sessions\n  debug-bridge sessions --all --json")
    .action(async (options: SessionsOptions) => {
      const agents = agentSessions(options);
      const known = new Set(agents.map(({ id }) => id));
      // A hub that follows the files of agents lists them, too.
      const others = (await hubSessions(options)).filter(({ id }) => !known.has(id));
      if (options.json) process.stdout.write(`${JSON.stringify({ sessions: [...others, ...agents] })}\n`);
      else process.stdout.write(table(others, agents));
    });
}

/** Sessions of the hub. That none runs is a failure only for one who asked for it. */
async function hubSessions(options: SessionsOptions): Promise<Summary[]> {
  const hub = runningHub(options);
  const isAsked = options.hub !== undefined || process.env.DEBUG_BRIDGE_HUB !== undefined;
  if (!isAsked && !(await hub.isThere())) return [];
  try {
    return ((await hub.get("/v1/sessions")) as { sessions: Summary[] }).sessions;
  } catch (thrown) {
    if (isAsked) throw thrown;
    process.stderr.write(`the hub at ${hub.url} does not tell its sessions: ${(thrown as Error).message}\n`);
    return [];
  }
}

function agentSessions(options: SessionsOptions): AgentSummary[] {
  const root = rootFor(options.dir ?? options.home);
  const isAgent = ({ kind }: SessionFile): boolean => kind === undefined || kind === "agent";
  const active = activeSessions(root);
  const known = new Set(active.map(({ id }) => id));
  const over = options.all ? readSessions(root).filter((one) => isAgent(one) && !known.has(one.id)) : [];
  const sessions = [...over, ...active];
  try {
    // Those that were killed leave the index as soon as someone looks.
    if (options.dir === undefined && readSessions(root).length > 0) refreshIndex(root);
  } catch {
    // A home that cannot be written can still be read.
  }
  return sessions.map(({ id, pid, startTime, cwd, name, provider, model, endTime, ...rest }) => ({
    id,
    kind: "agent",
    connected: isActive({ id, pid, startTime, cwd, endTime, ...rest }),
    pid,
    startTime,
    cwd,
    ...(name === undefined ? {} : { name }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(endTime === undefined ? {} : { endTime }),
  }));
}

function table(sessions: readonly Summary[], agents: readonly AgentSummary[]): string {
  if (sessions.length + agents.length === 0)
    return "No session yet. Open an app that embeds the SDK, or start an agent: debug-bridge run --help\n";
  const width = Math.max(...[...sessions, ...agents].map(({ id }) => id.length));
  const line = (id: string, kind: string, state: string, about: string): string =>
    `${id.padEnd(width)}  ${kind.padEnd(7)}  ${state}  ${about}\n`;
  return [
    ...sessions.map((session) => {
      const state = session.connected ? paint("green", "connected") : paint("dim", "gone     ");
      const about = [session.appName, session.url].filter(Boolean).join(" ");
      return line(
        session.id,
        session.kind,
        state,
        `${session.sequence} events, ${session.agents} agents  ${about}`,
      );
    }),
    ...agents.map(({ id, kind, connected, pid, startTime, cwd, name, provider, model }) => {
      const state = connected ? paint("green", "running  ") : paint("dim", "over     ");
      const runs = [provider, model].filter(Boolean).join("/");
      const about = [name, runs, `PID ${pid}`, `since ${startTime}`, `in ${cwd}`].filter(Boolean).join(", ");
      return line(id, kind, state, stripControlCharacters(about));
    }),
  ].join("");
}
