import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AgentFolder, activeSessions, appendLine, debugPaths, readLines } from "@debug-bridge/journal";
import { describe, expect, it } from "vitest";
import { ROOT, type Started, start, temporaryFolder, until } from "../../fixtures.js";

const WRITER = join(ROOT, "tests/support/agents/journal-writer.mjs");
const AGENTS = 20;

const startWriter = (root: string, ...more: string[]): Started =>
  start(process.execPath, [WRITER, root, ...more]);

async function idOf(writer: Started): Promise<string> {
  await until(() => writer.output.stdout.includes("\n") || writer.child.exitCode !== null);
  return writer.output.stdout.trim();
}

const index = (root: string): { sessions: { id: string; pid: number }[] } =>
  JSON.parse(readFileSync(debugPaths(root).index, "utf8"));

describe("twenty agents at once on one home", () => {
  it("each have their folder and their entry, and lose nothing when they are killed [AGT-007, AGT-012, AGT-070, ARC-080, ARC-083]", async () => {
    const root = temporaryFolder();
    const writers = Array.from({ length: AGENTS }, () => startWriter(root));
    const ids = await Promise.all(writers.map(idOf));
    expect(new Set(ids).size).toBe(AGENTS);
    expect(
      index(root)
        .sessions.map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort());

    const [spared, ...victims] = writers;
    for (const { child } of victims) child.kill("SIGKILL");
    await Promise.all(victims.map(({ finished }) => finished));
    for (const id of ids.slice(1)) {
      const path = join(debugPaths(root).sessions, id);
      const events = [...readLines(join(path, "events.jsonl"))].map(({ text }) => JSON.parse(text));
      expect(events.length).toBeGreaterThan(0);
      expect(events.every(({ sessionId, sequence }, i) => sessionId === id && sequence === i + 1)).toBe(true);
    }
    expect(activeSessions(root).map(({ pid }) => pid)).toEqual([spared?.child.pid]);

    const next = AgentFolder.create(root);
    expect(
      index(root)
        .sessions.map(({ id }) => id)
        .sort(),
    ).toEqual([ids[0], next.id].sort());
    for (const id of ids) expect(existsSync(join(debugPaths(root).sessions, id))).toBe(true);
    next.close();
  });

  it("never show an incomplete index, and leave no files behind [AGT-013, ARC-080, ARC-081]", async () => {
    const root = temporaryFolder();
    AgentFolder.create(root).close();
    const writers = Array.from({ length: AGENTS }, () => startWriter(root, "once"));
    let running = AGENTS;
    for (const { finished } of writers) void finished.then(() => running--);
    let looks = 0;
    while (running > 0) {
      expect(Array.isArray(index(root).sessions)).toBe(true);
      looks++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(looks).toBeGreaterThan(20);
    expect(index(root).sessions).toEqual([]);
    expect(readdirSync(debugPaths(root).debug).sort()).toEqual(["current", "index.json", "sessions"]);
    expect(readdirSync(debugPaths(root).sessions)).toHaveLength(AGENTS + 1);
  });
});

describe("many writers of one file", () => {
  it("never mix their lines", async () => {
    const file = join(temporaryFolder(), "commands.jsonl");
    const script = `import { appendLine } from "@debug-bridge/journal";
      for (let i = 0; i < 200; i++) appendLine(${JSON.stringify(file)}, JSON.stringify({ by: process.pid, i, pad: "y".repeat(i * 40) }));`;
    const writers = Array.from({ length: 8 }, () =>
      start(process.execPath, ["--input-type=module", "-e", script]),
    );
    for (let i = 0; i < 200; i++) appendLine(file, JSON.stringify({ by: process.pid, i }));
    const ends = await Promise.all(writers.map(({ finished }) => finished));
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0));
    const next = new Map<number, number>();
    for (const { text } of readLines(file)) {
      const { by, i } = JSON.parse(text) as { by: number; i: number };
      expect(i).toBe(next.get(by) ?? 0);
      next.set(by, i + 1);
    }
    expect([...next.values()]).toEqual(Array.from({ length: 9 }, () => 200));
  });
});
