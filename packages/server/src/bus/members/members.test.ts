import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Bus, LEASE_MS } from "../bus.js";
import { Members } from "./members.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function started() {
  const registry = { watch: async () => {}, put: async () => 1, get: vi.fn(async () => undefined) };
  const isConnected = vi.fn(async () => true);
  const bus = { hub: "me", hubs: registry, notify: vi.fn(), connectedSince: 1, isConnected, servers: "1 2" };
  const lost: string[] = [];
  const members = new Members(bus as unknown as Bus, {
    onJoined: () => {},
    onLost: (hub) => lost.push(hub),
  });
  await members.start();
  members.onNotice("alive", "other");
  return { members, bus, lost };
}

test("a hub that is silent counts as gone when its lease has ended, and is remembered as lost", async () => {
  const { members, lost } = await started();
  await vi.advanceTimersByTimeAsync(LEASE_MS - 100);
  expect([lost, members.isSeen("other"), members.isLost("other")]).toEqual([[], true, false]);
  await vi.advanceTimersByTimeAsync(500);
  expect([lost, members.isSeen("other"), members.isLost("other")]).toEqual([["other"], false, true]);
  members.onNotice("alive", "other");
  expect([members.isSeen("other"), members.isLost("other")]).toEqual([true, false]);
});

test("a hub that the bus has no connection of counts as gone after half a second, before its lease ends", async () => {
  const { members, bus, lost } = await started();
  bus.hubs.get.mockResolvedValue({ key: "other", value: "{}", revision: 1 } as never);
  bus.isConnected.mockResolvedValue(false);
  const waited = members.waitUntilLost("other", 500);
  await vi.advanceTimersByTimeAsync(400);
  expect(lost).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  await waited;
  expect([lost, await members.isLiving("other")]).toEqual([["other"], false]);
  members.onNotice("alive", "other");
  expect(await members.isLiving("other")).toBe(true);
});

test("a hub without a connection is given the time of its lease when a server of the bus was lost", async () => {
  const { members, bus, lost } = await started();
  bus.hubs.get.mockResolvedValue({ key: "other", value: "{}", revision: 1 } as never);
  bus.isConnected.mockResolvedValue(false);
  bus.servers = "1";
  const waited = members.waitUntilLost("other", 500);
  await vi.advanceTimersByTimeAsync(LEASE_MS - 200);
  expect(lost).toEqual([]);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  await waited;
  expect(lost).toEqual(["other"]);
});

test("a server of the bus that is started keeps nobody from counting as gone", async () => {
  const { members, bus, lost } = await started();
  bus.isConnected.mockResolvedValue(false);
  bus.servers = "1 2 3";
  void members.waitUntilLost("other", 500);
  await vi.advanceTimersByTimeAsync(700);
  expect(lost).toEqual(["other"]);
});

test("a hub that is late is looked for, and one that is connected again within half a second is not lost", async () => {
  const { members, bus, lost } = await started();
  bus.isConnected.mockResolvedValue(false);
  await vi.advanceTimersByTimeAsync(LEASE_MS / 3 + 100);
  expect(bus.isConnected).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(400);
  expect(bus.isConnected).toHaveBeenCalledWith("other");
  members.onNotice("alive", "other");
  await vi.advanceTimersByTimeAsync(900);
  expect(lost).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_900);
  expect(lost).toEqual(["other"]);
});

test("a hub that has a connection again says at once that it lives", async () => {
  const { bus } = await started();
  await vi.advanceTimersByTimeAsync(500);
  bus.notify.mockClear();
  bus.connectedSince = 2;
  await vi.advanceTimersByTimeAsync(200);
  expect(bus.notify).toHaveBeenCalledWith("alive");
});
