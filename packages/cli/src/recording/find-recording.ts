import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "@debug-bridge/client/files";
import { debugPaths, readLines, readSessions } from "@debug-bridge/journal";
import { BridgeError, type SessionFile } from "@debug-bridge/protocol";
import type { RecordedEvent } from "@debug-bridge/runner/reproduce";

export interface FoundRecording {
  readonly id: string;
  readonly file: string;
}

/** Recordings of apps, tabs and browsers, the newest first. */
export function pageRecordings(home: string | undefined): SessionFile[] {
  return readSessions(homeFolder(home))
    .filter(({ kind }) => kind !== undefined && kind !== "agent")
    .reverse();
}

/** The recording with this name: a file, a folder, an id or the end of one, or a session, whose newest is meant. */
export function findRecording(
  name: string | undefined,
  home: string | undefined,
  { isPath = true } = {},
): FoundRecording {
  if (isPath && name !== undefined && existsSync(name)) {
    const file = statSync(name).isFile() ? name : join(name, "events.jsonl");
    if (existsSync(file)) return { id: file.split(/[\\/]/).at(-2) ?? "recording", file };
  }
  const all = pageRecordings(home);
  const found =
    name === undefined
      ? all[0]
      : (all.find(({ id }) => id === name) ??
        all.find((each) => each.name === name) ??
        all.find(({ id }) => name !== "" && id.endsWith(name)));
  if (found) {
    const { sessions } = debugPaths(homeFolder(home));
    return { id: found.id, file: join(sessions, found.id, "events.jsonl") };
  }
  const which = name === undefined ? "there is no recording" : `no recording is called "${name}"`;
  throw new BridgeError(
    "session_not_found",
    `${which}; debug-bridge record list shows them, debug-bridge record start makes one`,
  );
}

/** The records of a recording. Lines that are no records are left out. */
export function* recordedEvents(file: string): Generator<RecordedEvent> {
  for (const { text } of readLines(file)) {
    const event = parse(text);
    if (event) yield event;
  }
}

function parse(text: string): RecordedEvent | undefined {
  try {
    const { type, timestamp, sequence, ...rest } = JSON.parse(text) as Record<string, unknown>;
    const at = typeof timestamp === "number" ? timestamp : Date.parse(String(timestamp));
    if (typeof type !== "string" || Number.isNaN(at)) return undefined;
    return { data: undefined, ...rest, type, timestamp: at, sequence: Number(sequence) };
  } catch {
    return undefined;
  }
}
