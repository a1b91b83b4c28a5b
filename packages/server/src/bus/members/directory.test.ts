import { expect, test, vi } from "vitest";
import type { Bus } from "../bus.js";
import { MemoryExchange } from "../memory/memory-bus.js";
import { Directory, type DirectoryEvents } from "./directory.js";
import type { Members } from "./members.js";

/** A directory for which the hubs with these names are gone. */
function directoryOf(
  bus: Bus,
  lost: readonly string[] = [],
  events: Partial<DirectoryEvents> = {},
): Directory {
  const members = {
    isSeen: (hub: string) => !lost.includes(hub),
    isLost: (hub: string) => lost.includes(hub),
    isLiving: async (hub: string) => !lost.includes(hub),
  } as Members;
  const none = { prepareTakeover: async () => () => {}, onLost: () => {}, onChanged: () => {} };
  return new Directory(bus, members, { ...none, ...events });
}

test("a session of a lost hub is taken over without reading the registry, which may have no leader", async () => {
  const exchange = new MemoryExchange();
  const [a, b] = [exchange.connect("a"), exchange.connect("b")];
  await directoryOf(a).claim("shop");
  const taking = directoryOf(b, [a.hub]);
  await taking.start();
  exchange.sessions.get = () => Promise.reject(new Error("no leader"));
  expect(await taking.claim("shop")).toBe(b.hub);
  expect(taking.claimOf("shop")).toMatchObject({ term: 2 });
});

test("what was remembered of a lost hub and is no longer so is read again", async () => {
  const exchange = new MemoryExchange();
  const [a, b, c] = [exchange.connect("a"), exchange.connect("b"), exchange.connect("c")];
  await directoryOf(a).claim("shop");
  const [faster, slower] = [directoryOf(b, [a.hub]), directoryOf(c, [a.hub])];
  await Promise.all([faster.start(), slower.start()]);
  expect(await Promise.all([faster.claim("shop"), slower.claim("shop")])).toEqual([b.hub, b.hub]);
});

test("a hub that only seemed to be lost gives up a session that was taken over, though its watch stands still", async () => {
  const exchange = new MemoryExchange();
  const [a, b] = [exchange.connect("a"), exchange.connect("b")];
  const onLost = vi.fn();
  // It never watches.
  const owner = directoryOf(a, [], { onLost });
  const nothing = { onRequest: () => "", onChannel: () => {} };
  await a.listen({ ...nothing, onNotice: (text) => void owner.onNotice(text) });
  await b.listen({ ...nothing, onNotice: () => {} });
  await owner.claim("shop");
  expect(owner.onNotice("taken shop")).toBe(true);
  await vi.waitFor(() => expect(owner.claimOf("shop")).toBeDefined());
  await directoryOf(b, [a.hub]).claim("shop");
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledExactlyOnceWith("shop", b.hub));
  expect(owner.claimOf("shop")).toBeUndefined();
});
