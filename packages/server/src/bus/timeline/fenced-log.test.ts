import { expect, test, vi } from "vitest";
import type { Entry } from "../../timeline/timeline.js";
import { MemoryExchange } from "../memory/memory-bus.js";
import { writeBatches, writeFence } from "./batches.js";
import { Fenced, FencedLog } from "./fenced-log.js";

const at = (hub: string, term: number) => ({ hub, term, life: "1" });
const entryOf = (sequence: number, type = "console"): Entry => ({
  ...{ type, at: 1, sequence, json: "{}", causedBy: undefined, source: "" },
});
const textOf = (hub: string, term: number, sequence = 1, type?: string): string => {
  const head = { lastSeqs: [["page", sequence] as const], pages: [] };
  return writeBatches(at(hub, term), [entryOf(sequence, type)], head, 1_000)[0]?.text as string;
};

function logs(isOwn = true) {
  const { log } = new MemoryExchange();
  return { log, fenced: new FencedLog(log, async () => isOwn) };
}

test("a hub continues after what was stored before it took a session over, and the hub before stores nothing after", async () => {
  const { fenced } = logs();
  const first = await fenced.append("s", at("a", 1), textOf("a", 1), 0);
  const { from, end } = await fenced.takeOver("s", at("b", 2));
  expect(from).toMatchObject({ last: 1, lastSeqs: [["page", 1]], entries: [entryOf(1)] });
  await expect(fenced.append("s", at("a", 1), textOf("a", 1), first)).rejects.toThrow(Fenced);
  expect(await fenced.append("s", at("b", 2), textOf("b", 2), end)).toBeGreaterThan(end);
});

test("however much is stored of a session, only its newest text is read to continue it", async () => {
  const { log, fenced } = logs();
  let end = 0;
  for (let i = 1; i <= 1_000; i++) end = await fenced.append("s", at("a", 1), textOf("a", 1, i), end);
  const read = vi.spyOn(log, "read");
  const calls = [vi.spyOn(log, "newest"), vi.spyOn(log, "next"), vi.spyOn(log, "append")];
  // The second hub is lost before it stores a record.
  for (const [hub, term] of [["b", 2] as const, ["c", 3] as const]) {
    const { from } = await fenced.takeOver("s", at(hub, term));
    expect(from).toMatchObject({ last: 1_000, lastSeqs: [["page", 1_000]] });
  }
  expect(read).not.toHaveBeenCalled();
  expect(calls.map(({ mock }) => mock.calls.length)).toEqual([2, 2, 2]);
});

test("the texts that describe the page are known to the next hub, and to the one after it", async () => {
  const { fenced } = logs();
  const hello = await fenced.append("s", at("a", 1), textOf("a", 1, 1, "hello"), 0);
  for (const [hub, term] of [["b", 2] as const, ["c", 3] as const])
    expect((await fenced.takeOver("s", at(hub, term))).from?.pages).toEqual([hello]);
});

test("what a server let pass before the text of the next hub counts, for that hub and for the one after it", async () => {
  const { log, fenced } = logs();
  const first = await fenced.append("s", at("a", 1), textOf("a", 1, 1), 0);
  // A cluster of NATS 2.9 lets two texts pass that name the same one before them.
  const append = log.append.bind(log);
  vi.spyOn(log, "append").mockImplementationOnce(async (id, text, after) => {
    expect(after).toBe(first);
    const late = await append(id, textOf("a", 1, 2), first);
    return append(id, text, late as number);
  });
  const { from, texts } = await fenced.takeOver("s", at("b", 2));
  expect([from, texts.slice(0, 2).map(({ text }) => text)]).toEqual([
    undefined,
    [textOf("a", 1, 1), textOf("a", 1, 2)],
  ]);
  const next = await fenced.takeOver("s", at("c", 3));
  expect([next.from, next.texts[1]?.text]).toEqual([undefined, textOf("a", 1, 2)]);
});

test("a text of an earlier term, or one that does not say enough, is not continued alone", async () => {
  for (const text of [textOf("a", 1), writeFence(at("b", 2))]) {
    const { log, fenced } = logs();
    await log.append("s", text, 0);
    const { from, texts } = await fenced.takeOver("s", at("c", 3));
    expect([from, texts[0]?.text]).toEqual([undefined, text]);
  }
});

test("when two hubs take a session over with the same term, the first one to write gets it", async () => {
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

test("when nothing is left in the store, the registry says who has a session", async () => {
  for (const isOwn of [true, false]) {
    const { fenced } = logs(isOwn);
    const stored = fenced.append("s", at("a", 1), textOf("a", 1), 7);
    await (isOwn ? expect(stored).resolves.toBe(1) : expect(stored).rejects.toThrow(Fenced));
  }
});
