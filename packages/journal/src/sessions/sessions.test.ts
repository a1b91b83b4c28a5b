import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, indexFileSchema, sessionFileSchema } from "@debug-bridge/protocol/schemas";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AgentFolder } from "./agent-folder.js";
import { readCurrent, setCurrent } from "./current.js";
import { isAlive, processStart } from "./liveness.js";
import { debugPaths, rootOf } from "./paths.js";
import { pruneSessions } from "./prune.js";
import { folderName, newFolder, SessionFolder } from "./session-folder.js";
import { activeSessions, readSession, readSessions, refreshIndex } from "./sessions.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "debug-bridge-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A number that no process has. */
const DEAD_PID = 4_194_304 * 8;
const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const indexed = (): string[] =>
  (read(debugPaths(root).index) as { sessions: { id: string }[] }).sessions.map(({ id }) => id);

/** A folder as a process that was killed leaves it. */
function deadSession(startTime: string, more = {}): string {
  const { id, path } = newFolder(root, new Date(startTime));
  const session = { id, pid: DEAD_PID, startTime, cwd: "/", kind: "agent", ...more };
  writeFileSync(join(path, "session.json"), JSON.stringify(session));
  return id;
}

describe("an agent's folder", () => {
  it("has its three files, is named by its start time, and is accessible only to its owner [AGT-005, AGT-006]", () => {
    const folder = AgentFolder.create(root, { name: "fix", provider: "p", model: "m" });
    expect(folder.id).toMatch(/^debug_\d{8}_\d{6}_[0-9a-f]{4}$/);
    expect(folder.path).toBe(join(root, "debug", "sessions", folder.id));
    expect(readdirSync(folder.path).sort()).toEqual(["commands.jsonl", "events.jsonl", "session.json"]);
    const session = read(join(folder.path, "session.json"));
    expect(check(sessionFileSchema, session).ok).toBe(true);
    expect(session).toMatchObject({ id: folder.id, pid: process.pid, cwd: process.cwd(), kind: "agent" });
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder.path))
      expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
    folder.close();
  });

  it("is in the index while it is open, and stays on disk [AGT-010, AGT-012, AGT-013]", () => {
    const folder = AgentFolder.create(root);
    const index = read(debugPaths(root).index);
    expect(check(indexFileSchema, index).ok).toBe(true);
    expect(index).toEqual({
      sessions: [
        { id: folder.id, pid: process.pid, startTime: expect.stringMatching(/Z$/), cwd: process.cwd() },
      ],
    });
    folder.close();
    expect(indexed()).toEqual([]);
    expect(readSession(folder.path)?.endTime).toMatch(/Z$/);
  });

  it("has a unique name", () => {
    const now = new Date("2026-01-23T13:10:00Z");
    const names = ["a", "a", "b"].map((random) => folderName(now, random));
    const next = (): string => names.shift() ?? "";
    expect(newFolder(root, now, next).id).toBe("debug_20260123_131000_a");
    expect(newFolder(root, now, next).id).toBe("debug_20260123_131000_b");
  });
});

describe("the index", () => {
  it("removes sessions whose process ended or whose process id was reused, and keeps their folders [AGT-011, AGT-012]", () => {
    const dead = deadSession("2026-01-01T00:00:00.000Z");
    const reused = deadSession("2026-01-01T00:00:01.000Z", { pid: process.pid, processStart: "1" });
    const folder = AgentFolder.create(root);
    expect(indexed()).toEqual([folder.id]);
    for (const id of [dead, reused]) expect(existsSync(join(root, "debug/sessions", id))).toBe(true);
    expect(readSessions(root).map(({ id }) => id)).toEqual([dead, reused, folder.id]);
    folder.close();
  });

  it("lists only agents, including those of other programs, and ignores damaged files", () => {
    const other = deadSession("2026-01-01T00:00:00.000Z", { pid: process.pid, kind: undefined });
    const recording = SessionFolder.create(root, { sessionId: "shop", kind: "app" });
    const damaged = newFolder(root, new Date());
    writeFileSync(join(damaged.path, "session.json"), '{"id":');
    refreshIndex(root);
    expect(indexed()).toEqual([other]);
    expect(activeSessions(root)).toHaveLength(1);
    recording.end();
  });

  it("keeps the entries of other programs while they run", () => {
    const { id, path } = newFolder(root, new Date("2026-01-01T00:00:00.000Z"));
    const entry = { id, startTime: "2026-01-01T00:00:00.000Z", cwd: "/" };
    writeFileSync(join(path, "session.json"), '{"of":"another program"}');
    const entries = [
      { ...entry, pid: process.pid },
      { ...entry, id: "gone", pid: process.pid },
      { id: 1 },
      null,
    ];
    writeFileSync(debugPaths(root).index, JSON.stringify({ sessions: entries }));
    refreshIndex(root);
    expect(indexed()).toEqual([id]);
    writeFileSync(debugPaths(root).index, JSON.stringify({ sessions: [{ ...entry, pid: DEAD_PID }] }));
    refreshIndex(root);
    expect(indexed()).toEqual([]);
  });

  it("identifies a process by its start time", () => {
    expect(isAlive({ pid: process.pid, processStart: processStart(process.pid) })).toBe(true);
    expect(isAlive({ pid: 1 })).toBe(true);
    expect(isAlive({ pid: DEAD_PID })).toBe(false);
  });
});

describe("current", () => {
  it("links to the session that started last [AGT-008]", () => {
    const first = AgentFolder.create(root);
    const second = AgentFolder.create(root);
    const { current } = debugPaths(root);
    expect(lstatSync(current).isSymbolicLink()).toBe(true);
    expect(read(join(current, "session.json"))).toMatchObject({ id: second.id });
    expect(readCurrent(root)).toBe(second.id);
    first.close();
    second.close();
  });

  it("is a file with the id if links are not supported [AGT-009]", () => {
    mkdirSync(debugPaths(root).debug, { recursive: true });
    writeFileSync(debugPaths(root).current, "debug_20260101_000000_ab12\n");
    expect(readCurrent(root)).toBe("debug_20260101_000000_ab12");
    setCurrent(root, "other");
    expect(readCurrent(root)).toBe("other");
  });

  it("does not affect a session that cannot write it [AGT-009]", () => {
    mkdirSync(join(debugPaths(root).current, "in-the-way"), { recursive: true });
    const folder = AgentFolder.create(root);
    expect(indexed()).toEqual([folder.id]);
    expect(readdirSync(debugPaths(root).debug).sort()).toEqual(["current", "index.json", "sessions"]);
    folder.close();
  });

  it("is undefined before the first session", () => expect(readCurrent(root)).toBeUndefined());
});

describe("pruning", () => {
  it("keeps the newest sessions and the running ones [ARC-082]", () => {
    const live = deadSession("2025-01-01T00:00:00.000Z", { pid: process.pid });
    const dead = Array.from({ length: 24 }, (_, i) => deadSession(new Date(i * 1_000).toISOString()));
    expect(pruneSessions(root).sort()).toEqual(dead.slice(0, 5).sort());
    expect(readSessions(root).map(({ id }) => id)).toEqual([...dead.slice(5), live]);
    expect(pruneSessions(root, 0)).toHaveLength(19);
    expect(readSessions(root).map(({ id }) => id)).toEqual([live]);
    expect(pruneSessions(join(root, "nowhere"))).toEqual([]);
  });

  it("removes the files of hooked agents whose session no longer exists", () => {
    const { hooks } = debugPaths(root);
    const [gone, kept] = [deadSession("2025-01-01T00:00:00.000Z"), deadSession("2025-01-02T00:00:00.000Z")];
    mkdirSync(hooks, { recursive: true });
    for (const [i, id] of [gone, kept].entries()) writeFileSync(join(hooks, String(i).repeat(32)), `${id}\n`);
    writeFileSync(join(hooks, `${"0".repeat(32)}.lock`), "1");
    pruneSessions(root, 1);
    expect(readdirSync(hooks)).toEqual([`${"0".repeat(32)}.lock`, "1".repeat(32)]);
  });
});

describe("the root", () => {
  it("is the home, including for the path of its debug folder", () => {
    expect(rootOf(join(root, "debug"))).toBe(root);
    expect(rootOf(root)).toBe(root);
    mkdirSync(join(root, "debug", "debug"), { recursive: true });
    expect(rootOf(join(root, "debug"))).toBe(join(root, "debug"));
  });
});
