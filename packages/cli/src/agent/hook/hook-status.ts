import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "@debug-bridge/client/files";
import { debugPaths, readSessions } from "@debug-bridge/journal";
import { codexHooks } from "./codex-trust.js";
import { commandsOf, type HookAgent, missingHooks, readSettings, settingsFile } from "./hook-settings.js";

/** What is known about the hooks of an agent. */
export interface HookStatus {
  readonly agent: HookAgent;
  readonly file: string;
  readonly installed: boolean;
  /** Events that have no hook of ours, although some have. */
  readonly missing: readonly string[];
  /** Files that the hooks need and that do not exist: they were moved or removed. */
  readonly missingFiles: readonly string[];
  /** Whether the agent runs them; `unknown` if it did not say. */
  readonly trusted: "yes" | "no" | "unknown";
  /** The last session that hooks of this agent recorded. */
  readonly last?: { readonly session: string; readonly time: string };
}

/** What is known of the hooks in a settings file, by default the person's own, and of the sessions that they recorded in a home. */
export async function hookStatus(
  agent: HookAgent,
  {
    file = settingsFile(agent),
    home,
  }: { readonly file?: string | undefined; readonly home?: string | undefined } = {},
): Promise<HookStatus> {
  const settings = readSettings(file, agent);
  const commands = commandsOf(settings);
  const installed = commands.length > 0;
  const last = lastSession(agent, homeFolder(home));
  return {
    agent,
    file,
    installed,
    missing: installed ? missingHooks(settings, agent) : [],
    missingFiles: missingFiles(commands),
    trusted: installed ? await trustOf(agent, commands) : "no",
    ...(last === undefined ? {} : { last }),
  };
}

/** The status for a person, one fact per line. */
export function statusLines({
  agent,
  file,
  installed,
  missing,
  missingFiles,
  trusted,
  last,
}: HookStatus): string[] {
  const again = `run: debug-bridge hook install ${agent}`;
  if (!installed) return [`not installed in ${file}; ${again}`];
  const trust = {
    yes: "trusted: yes",
    no: "trusted: no; start codex and accept the hooks, until then it does not run them",
    unknown: "trusted: not known, codex did not answer",
  };
  return [
    missing.length === 0
      ? `installed in ${file}`
      : `installed in ${file}, without ${missing.join(", ")}; ${again}`,
    ...missingFiles.map((path) => `${path} does not exist; ${again}`),
    ...(agent === "codex" ? [trust[trusted]] : []),
    last ? `last used by ${last.session} at ${last.time}` : "no hook has run yet; start the agent",
  ];
}

/** Claude Code and Gemini CLI run the hooks of the person's own settings. Codex asks first. */
async function trustOf(agent: HookAgent, commands: readonly string[]): Promise<HookStatus["trusted"]> {
  if (agent !== "codex") return "yes";
  const listed = (await codexHooks())?.filter(({ command }) => commands.includes(command));
  if (!listed || listed.length === 0) return "unknown";
  return listed.every(({ trust, enabled }) => enabled && (trust === "trusted" || trust === "managed"))
    ? "yes"
    : "no";
}

function missingFiles(commands: readonly string[]): string[] {
  const paths = commands.flatMap((command) =>
    [...command.matchAll(/"([^"]+)"/g)].map(([, path = ""]) => path),
  );
  return [...new Set(paths)].filter((path) => !existsSync(path));
}

function lastSession(agent: HookAgent, root: string): HookStatus["last"] {
  const found = readSessions(root).findLast((session) => session.agent === agent);
  if (!found) return undefined;
  const events = statSync(join(debugPaths(root).sessions, found.id, "events.jsonl"), {
    throwIfNoEntry: false,
  });
  return { session: found.id, time: events?.mtime.toISOString() ?? found.startTime };
}
