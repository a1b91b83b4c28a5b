import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Bus, LEASE_MS } from "./bus.js";
import { Members } from "./members.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function started() {
  const registry = { watch: async () => {}, put: async () => 1, get: async () => undefined };
  const bus = { hub: "me", hubs: registry, notify: vi.fn(), connectedSince: 1 };
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

test("a hub that has a connection again says at once that it lives", async () => {
  const { bus } = await started();
  await vi.advanceTimersByTimeAsync(500);
  bus.notify.mockClear();
  bus.connectedSince = 2;
  await vi.advanceTimersByTimeAsync(200);
  expect(bus.notify).toHaveBeenCalledWith("alive");
});
