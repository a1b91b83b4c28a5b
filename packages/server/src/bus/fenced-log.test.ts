import { expect, test } from "vitest";
import { writeBatch } from "./batches.js";
import { Fenced, FencedLog } from "./fenced-log.js";
import { MemoryExchange } from "./memory-bus.js";

const at = (hub: string, term: number) => ({ hub, term, life: "1" });
const textOf = (hub: string, term: number): string => {
  const entry = { type: "console", at: 1, sequence: 1, json: "{}", causedBy: undefined, source: "" };
  return writeBatch(at(hub, term), [entry], [], 1_000)[0] as string;
};

function logs(isOwn = true) {
  const { log } = new MemoryExchange();
  return { log, fenced: new FencedLog(log, async () => isOwn) };
}

test("a hub reads what was stored before it took a session over, and the hub before stores nothing after", async () => {
  const { fenced } = logs();
  const first = await fenced.append("s", at("a", 1), textOf("a", 1), 0);
  const { texts, end } = await fenced.takeOver("s", at("b", 2));
  expect(texts[0]).toBe(textOf("a", 1));
  await expect(fenced.append("s", at("a", 1), textOf("a", 1), first)).rejects.toThrow(Fenced);
  expect(await fenced.append("s", at("b", 2), textOf("b", 2), end)).toBeGreaterThan(end);
});

test("of two hubs that take a session over with the same term, the first one to write gets it", async () => {
  const { fenced } = logs();
  await fenced.append("s", at("a", 1), textOf("a", 1), 0);
  const { end } = await fenced.takeOver("s", at("b", 2));
  await expect(fenced.takeOver("s", at("c", 2))).rejects.toThrow(Fenced);
  // What the other one wrote does not stop it.
  expect(await fenced.append("s", at("b", 2), textOf("b", 2), end)).toBeGreaterThan(end);
});

test("a text whose confirmation was lost is no reason to give a session up", async () => {
  const { log, fenced } = logs();
  await log.append("s", textOf("a", 1), 0);
  expect(await fenced.append("s", at("a", 1), textOf("a", 1), 0)).toBeGreaterThan(1);
});

test("when nothing is stored any more, the registry says who has a session", async () => {
  for (const isOwn of [true, false]) {
    const { fenced } = logs(isOwn);
    const stored = fenced.append("s", at("a", 1), textOf("a", 1), 7);
    await (isOwn ? expect(stored).resolves.toBe(1) : expect(stored).rejects.toThrow(Fenced));
  }
});
