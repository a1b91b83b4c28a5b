import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppendFile, appendLine } from "./append-file.js";
import { BlobStore } from "./blobs.js";
import { type Following, followLines } from "./follow.js";
import { lastLines, readLines, readLinesBackward } from "./read-lines.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-"));
  file = join(folder, "events.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !condition(); ) {
    if (Date.now() > end) throw new Error(`waited in vain for: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

describe("a file of lines", () => {
  it("appends several lines in one write, and starts a new line after an incomplete one", () => {
    const first = new AppendFile(file);
    first.append("a", "b");
    first.close();
    appendFileSync(file, '{"torn":');
    appendLine(file, "c");
    expect(readFileSync(file, "utf8")).toBe('a\nb\n{"torn":\nc\n');
    expect(() => first.append("d")).toThrow("closed");
  });

  it("is read from any offset, without an incomplete last line [ARC-083, ARC-084]", () => {
    writeFileSync(file, "one\ntwo\nthr");
    const lines = [...readLines(file)];
    expect(lines.map(({ text }) => text)).toEqual(["one", "two"]);
    expect([...readLines(file, lines[0]?.end)].map(({ text }) => text)).toEqual(["two"]);
  });

  it("survives a writer that dies at any byte: complete lines stay, and so do those of the next writer [ARC-083]", () => {
    const line = fc.string({ minLength: 1 }).map((text) => JSON.stringify(text));
    fc.assert(
      fc.property(fc.array(line), fc.nat(), line, (lines, at, next) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        const cut = bytes.subarray(0, at % (bytes.length + 1));
        writeFileSync(file, cut);
        const whole = lines.slice(0, cut.toString("latin1").split("\n").length - 1);
        expect([...readLines(file)].map(({ text }) => text)).toEqual(whole);
        appendLine(file, next);
        const after = [...readLines(file)].map(({ text }) => text);
        expect(after.slice(0, whole.length)).toEqual(whole);
        expect(after.at(-1)).toBe(next);
        expect(after.length - whole.length).toBeLessThanOrEqual(2);
      }),
    );
  });

  it("returns its newest lines by reading from the end", () => {
    const all = Array.from({ length: 30_000 }, (_, i) => `line ${i} ${"x".repeat(i % 50)}`);
    writeFileSync(file, `${all.join("\n")}\n`);
    const size = readFileSync(file).length;
    for (const count of [0, 1, 10, 20_000, 40_000]) {
      const wanted = count === 0 ? [] : all.slice(-count);
      expect(lastLines(file, count, size).map(({ text }) => text)).toEqual(wanted);
    }
  });

  it("has the same lines backwards as forwards, from any offset on and with lines of any length", () => {
    const line = fc.oneof(
      fc.string(),
      fc.nat(200_000).map((length) => "ä".repeat(length)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.nat(), (lines, at) => {
        const bytes = Buffer.from(lines.join("\n"));
        writeFileSync(file, bytes);
        const end = at % (bytes.length + 1);
        const forwards = [...readLines(file)].filter((each) => each.end <= end);
        expect([...readLinesBackward(file, end)].reverse()).toEqual(forwards);
      }),
      { numRuns: 60 },
    );
  });
});

describe("following a file", () => {
  let following: Following | undefined;
  afterEach(() => following?.close());

  it("reports each line once when it is complete, for any sequence of writes [ARC-083, ARC-084]", async () => {
    const lines: string[] = [];
    following = followLines(file, { onLine: ({ text }) => lines.push(text) });
    for (const piece of ["on", "e\ntw", "o\n", "three\nfour\nfi"]) {
      appendFileSync(file, piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await until(() => lines.length === 4);
    expect(lines).toEqual(["one", "two", "three", "four"]);
    appendFileSync(file, "ve\n");
    await until(() => lines.length === 5);
    expect(lines[4]).toBe("five");
    expect(following.position).toBe(readFileSync(file).length);
  });

  it("can start at the end, and stops when closed [AGT-026]", async () => {
    writeFileSync(file, "old\n");
    const lines: string[] = [];
    following = followLines(file, { from: "end", onLine: ({ text }) => lines.push(text) });
    appendFileSync(file, "new\n");
    await until(() => lines.length === 1);
    following.close();
    appendFileSync(file, "late\n");
    following.read();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(lines).toEqual(["new"]);
  });

  it("keeps the order for a listener that triggers another read", () => {
    const lines: string[] = [];
    writeFileSync(file, "");
    following = followLines(file, {
      onLine: ({ text }) => {
        if (text === "1") appendFileSync(file, "3\n");
        following?.read();
        lines.push(text);
      },
    });
    appendFileSync(file, "1\n2\n");
    following.read();
    expect(lines).toEqual(["1", "2", "3"]);
  });

  it("reads a file from the beginning after a shorter one replaced it", async () => {
    writeFileSync(file, "a long line that goes away\n");
    const lines: string[] = [];
    let restarts = 0;
    following = followLines(file, { onLine: ({ text }) => lines.push(text), onRestart: () => restarts++ });
    writeFileSync(file, "short\n");
    await until(() => lines.includes("short"));
    expect(restarts).toBeGreaterThan(0);
  });

  it("does not keep the process alive", async () => {
    following = followLines(file, { onLine: () => {} });
    following.hold(true);
    following.hold(false);
    expect(following.position).toBe(0);
  });
});

describe("blobs", () => {
  it("are stored once by content, and replace the references to them", () => {
    const blobs = new BlobStore(folder);
    const json = JSON.stringify({ text: "ü".repeat(5_000) });
    const reference = blobs.put(json);
    expect(reference).toEqual({
      $blob: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: Buffer.byteLength(json),
    });
    expect(blobs.put(json)).toEqual(reference);
    expect(new BlobStore(folder).put(json)).toEqual(reference);
    expect(readdirSync(join(folder, "blobs"))).toEqual([reference.$blob]);
    expect(blobs.resolve({ list: [{ input: reference }, 1, null] })).toEqual({
      list: [{ input: JSON.parse(json) }, 1, null],
    });
  });

  it("that are missing stay references, and no reference leads outside the folder", () => {
    const blobs = new BlobStore(folder);
    const missing = { $blob: "0".repeat(64), bytes: 1 };
    expect(blobs.resolve({ missing })).toEqual({ missing });
    expect(blobs.get({ $blob: "../session.json", bytes: 1 })).toBeUndefined();
    expect(existsSync(join(folder, "blobs"))).toBe(false);
  });
});
