import { join } from "node:path";
import { findHubs, noHub, requestedHub } from "@debug-bridge/client";
import {
  activeSessions,
  debugPaths,
  isActive,
  readSessions,
  refreshIndex,
  wasPausedLast,
} from "@debug-bridge/journal";
import { plural, type SessionFile } from "@debug-bridge/protocol";
import { Command } from "commander";
import { rootFor } from "../agent/session/choose-session.js";
import { undescribedSessions } from "../agent/session/undescribed-sessions.js";
import { distinctSessions, type HubSession, sessionsOf } from "../hub/session-hub.js";
import { type CommonOptions, withCommon, withDir } from "../options.js";
import { addDetails } from "../terminal/help.js";
import { printJson, printLine, printMessage } from "../terminal/output.js";
import { paint } from "../terminal/style.js";

/** An agent's session, from its files. */
interface AgentSummary {
  readonly id: string;
  readonly kind: "agent";
  readonly connected: boolean;
  readonly paused?: boolean;
  /** Unknown for an agent that removed its description. */
  readonly pid?: number;
  readonly startTime: string;
  readonly cwd: string;
  readonly name?: string;
  readonly provider?: string;
  readonly model?: string;
}

interface SessionsOptions extends CommonOptions {
  readonly all?: boolean;
  readonly dir?: string;
}

export function sessionsCommand(): Command {
  const command = withDir(withCommon(new Command("sessions")))
    .option("--all", "include agents that have ended and were recorded")
    .action(async (options: SessionsOptions) => {
      const agents = agentSessions(options);
      const known = new Set(agents.map(({ id }) => id));
      // A hub also lists the agents whose files it follows.
      const others = (await hubSessions(options)).filter(({ id }) => !known.has(id));
      if (options.json) await printJson({ sessions: [...others, ...agents] });
      else for (const line of lines(others, agents)) printLine(line);
    });
  return addDetails(command, {
    notes: "It lists the sessions of all hubs of the home, and the agents that run.",
    examples: ["debug-bridge sessions", "debug-bridge sessions --all --json"],
  });
}

/** Sessions of all hubs of the home. That no hub runs is an error only if one was asked for. */
async function hubSessions(options: SessionsOptions): Promise<HubSession[]> {
  const hubs = await findHubs(options);
  const isRequested = requestedHub(options) !== undefined;
  if (hubs.length === 0 && isRequested) throw noHub(options);
  const lists = await Promise.all(
    hubs.map((hub) =>
      sessionsOf(hub).catch((thrown: Error) => {
        if (isRequested) throw thrown;
        printMessage(`the sessions of the hub at ${hub.url} cannot be read: ${thrown.message}`);
        return [];
      }),
    ),
  );
  return distinctSessions(lists);
}

function agentSessions(options: SessionsOptions): AgentSummary[] {
  const root = rootFor(options);
  const isAgent = ({ kind }: SessionFile): boolean => kind === undefined || kind === "agent";
  const active = activeSessions(root);
  const known = new Set(active.map(({ id }) => id));
  const over = options.all ? readSessions(root).filter((one) => isAgent(one) && !known.has(one.id)) : [];
  const sessions = [...over, ...active];
  try {
    // Agents that were killed leave the index when someone reads it.
    if (options.dir === undefined && readSessions(root).length > 0) refreshIndex(root);
  } catch {
    // A home that cannot be written can still be read.
  }
  for (const { id } of sessions) known.add(id);
  const undescribed = options.all ? undescribedSessions(root, known) : [];
  const described = sessions.map((session) => {
    const { id, pid, startTime, cwd, name, provider, model, endTime } = session;
    const connected = isActive(session);
    return {
      id,
      kind: "agent" as const,
      connected,
      ...(connected && isPaused(root, id) ? { paused: true } : {}),
      pid,
      startTime,
      cwd,
      ...(name === undefined ? {} : { name }),
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
      ...(endTime === undefined ? {} : { endTime }),
    };
  });
  return [...undescribed.map((one) => ({ ...one, kind: "agent" as const, connected: false })), ...described];
}

const isPaused = (root: string, id: string): boolean =>
  wasPausedLast(join(debugPaths(root).sessions, id, "events.jsonl"));

function lines(sessions: readonly HubSession[], agents: readonly AgentSummary[]): string[] {
  if (sessions.length + agents.length === 0)
    return [
      "No session yet. Open an app that embeds the SDK, or start an agent: debug-bridge agent run --help",
    ];
  const width = Math.max(...[...sessions, ...agents].map(({ id }) => id.length));
  const hasHubs = new Set(sessions.map(({ hub, hubName }) => hubName ?? hub)).size > 1;
  const line = (id: string, kind: string, state: string, about: string): string =>
    `${id.padEnd(width)}  ${kind.padEnd(7)}  ${state}  ${about.replaceAll(/\s+/g, " ")}`;
  return [
    ...sessions.map(({ id, kind, connected, sequence, agents: clients, appName, url, hub, hubName }) => {
      const state = connected ? paint("green", "connected") : paint("dim", "gone     ");
      const about = [
        `${plural(sequence, "event")},`,
        `${plural(clients, "agent")} `,
        appName,
        url,
        hasHubs && `on ${hubName ?? hub}`,
      ];
      return line(id, kind, state, about.filter(Boolean).join(" "));
    }),
    ...agents.map(({ id, kind, connected, paused, pid, startTime, cwd, name, provider, model }) => {
      const state = !connected
        ? paint("dim", "over     ")
        : paused
          ? paint("yellow", "paused   ")
          : paint("green", "running  ");
      const runs = [provider, model].filter(Boolean).join("/");
      const about = [name, runs, pid !== undefined && `PID ${pid}`, `since ${startTime}`, `in ${cwd}`]
        .filter(Boolean)
        .join(", ");
      return line(id, kind, state, about);
    }),
  ];
}
