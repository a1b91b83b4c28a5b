import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ListWatchers } from "./list-watchers.js";
import type { AgentPeer } from "./peers/agent-peer.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watchedBy(count: number) {
  const watchers = new ListWatchers();
  const sendMessage = vi.fn();
  for (let i = 0; i < count; i++) watchers.add({ sessionId: `s${i}`, sendMessage } as unknown as AgentPeer);
  sendMessage.mockClear();
  return { watchers, sendMessage };
}

test("few agents are notified of every change at once", async () => {
  const { watchers, sendMessage } = watchedBy(2);
  for (let changes = 1; changes <= 5; changes++) {
    watchers.changed();
    await vi.advanceTimersByTimeAsync(1);
    expect(sendMessage).toHaveBeenCalledTimes(2 * changes);
  }
});

test("many agents are notified of many changes together, and of the last one too", async () => {
  const { watchers, sendMessage } = watchedBy(200);
  watchers.changed();
  await vi.advanceTimersByTimeAsync(1);
  expect(sendMessage).toHaveBeenCalledTimes(200);
  for (let changes = 0; changes < 1_000; changes++) {
    watchers.changed();
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(sendMessage.mock.calls.length).toBeLessThanOrEqual(1_400);
  const before = sendMessage.mock.calls.length;
  watchers.changed();
  await vi.advanceTimersByTimeAsync(200);
  expect(sendMessage).toHaveBeenCalledTimes(before + 200);
});
