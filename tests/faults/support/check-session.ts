import { expect } from "vitest";
import { until } from "../../fixtures.js";
import type { SeenRecord, SteeredSession } from "../steered-session.js";

const textOf = ({ type, data }: SeenRecord): string => `${type} ${JSON.stringify(data)}`;

/** How many records of a type have a text. */
const count = (records: readonly SeenRecord[], type: string, text: string): number =>
  records.filter((record) => record.type === type && JSON.stringify(record.data).includes(text)).length;

/** Fails if anything of a session that was acknowledged is lost, or was done twice. Returns how many acts were acknowledged. */
export async function checkSession(session: SteeredSession): Promise<{ acked: number; unknown: number }> {
  const records = await until(async () => {
    // A read that was cut is tried again: it says nothing about what is there.
    const all = await session.timeline().catch(() => []);
    return count(all, "console", `line ${session.written}.`) === 1 ? all : undefined;
  });
  expect(records.map(({ sequence }) => sequence)).toEqual(records.map((_, i) => i + 1));
  expect(records.filter(({ type }) => type === "gap")).toEqual([]);
  const lines = records.filter(({ type }) => type === "console");
  expect(lines.map((line) => Number(/line (\d+)\./.exec(JSON.stringify(line.data))?.[1]))).toEqual(
    Array.from({ length: session.written }, (_, i) => i + 1),
  );
  // What a reader saw at a number is there still, and it saw no number twice.
  expect(session.read.map(({ sequence }) => sequence)).toEqual(session.read.map((_, i) => i + 1));
  for (const seen of session.read)
    expect(textOf(records[seen.sequence - 1] as SeenRecord)).toBe(textOf(seen));
  const done = session.app.commands.map(({ target }) => (target as { text: string }).text);
  expect(new Set(done).size).toBe(done.length);
  const acked = session.acts.filter(({ ackedAt }) => ackedAt !== undefined);
  for (const { name } of acked) {
    expect(done).toContain(name);
    expect([name, count(records, "command", name), count(records, "command_result", name)]).toEqual([
      ...[name, 1, 1],
    ]);
  }
  return { acked: acked.length, unknown: session.acts.length - acked.length };
}
