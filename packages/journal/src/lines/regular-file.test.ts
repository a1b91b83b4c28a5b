import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { debugPaths } from "../sessions/paths.js";
import { readIndex, readSession } from "../sessions/sessions.js";
import { appendLine } from "./append-file.js";
import { BlobStore } from "./blobs.js";
import { followLines } from "./follow.js";
import { lastLines, readLines } from "./read-lines.js";

const MAKE_PIPE = "mkfifo";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kinds = process.platform === "win32" ? ["folder"] : ["pipe", "folder", "link", "loop", "device"];

function make(kind: string, path: string): void {
  if (kind === "pipe") execFileSync(MAKE_PIPE, [path]);
  else if (kind === "folder") mkdirSync(path);
  else if (kind === "loop") symlinkSync(path, path);
  else if (kind === "device") symlinkSync("/dev/zero", path);
  else {
    writeFileSync(`${path}.target`, '{"type":"secret"}\n');
    symlinkSync(`${path}.target`, path);
  }
}

describe.each(kinds)("a %s in place of a file", (kind) => {
  it("has no lines, is not followed and accepts no lines", () => {
    const path = join(folder, "events.jsonl");
    make(kind, path);
    const seen: string[] = [];
    const following = followLines(path, { onLine: ({ text }) => seen.push(text) });
    following.close();
    expect(seen).toEqual([]);
    expect(lastLines(path, 10, 100)).toEqual([]);
    expect(() => appendLine(path, "{}")).toThrow();
    if (kind !== "link") expect(() => [...readLines(path)]).toThrow();
  });

  it("is not a session, an index or a payload", () => {
    make(kind, join(folder, "session.json"));
    expect(readSession(folder)).toBeUndefined();
    mkdirSync(debugPaths(folder).debug);
    make(kind, debugPaths(folder).index);
    expect(readIndex(folder)).toEqual([]);
    const hash = "a".repeat(64);
    mkdirSync(join(folder, "blobs"));
    make(kind, join(folder, "blobs", hash));
    expect(new BlobStore(folder).get({ $blob: hash, bytes: 1 })).toBeUndefined();
  });
});

describe("a damaged payload", () => {
  it("stays a reference", () => {
    const reference = { $blob: "b".repeat(64), bytes: 3 };
    mkdirSync(join(folder, "blobs"));
    writeFileSync(join(folder, "blobs", reference.$blob), "{to");
    expect(new BlobStore(folder).resolve({ messages: reference })).toEqual({ messages: reference });
  });
});

describe("a session.json of another program", () => {
  it("loses a description that is not text, and nothing else", () => {
    const session = { id: "x", pid: 1, startTime: "2026-01-01T00:00:00.000Z", cwd: "/", model: "m", more: 1 };
    writeFileSync(
      join(folder, "session.json"),
      JSON.stringify({ ...session, name: { a: 1 }, provider: ["p"] }),
    );
    expect(readSession(folder)).toEqual({ ...session, id: basename(folder) });
  });
});
