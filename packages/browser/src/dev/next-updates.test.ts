import type { EditWatch } from "@debug-bridge/page/edit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { codeUpdates } from "./code-updates.js";
import { followNextPage } from "./next-updates.js";

let onRequest: (() => void) | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { querySelector: () => null, querySelectorAll: () => [] });
  vi.stubGlobal(
    "PerformanceObserver",
    class {
      constructor(listener: (list: { getEntries(): object[] }) => void) {
        const entry = { name: "/?_rsc=1" };
        onRequest = () => listener({ getEntries: () => [{ ...entry, startTime: performance.now() }] });
      }
      observe(): void {}
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page of Next.js with webpack, and what it reports of the edits of its code. */
function stage() {
  let receive: ((event: { data: string }) => void) | undefined;
  class WebSocketStub {
    addEventListener(_type: string, listener: typeof receive): void {
      receive = listener;
    }
  }
  const window = { WebSocket: WebSocketStub, __NEXT_HMR_LATENCY_CB: () => {} };
  const after = vi.fn<EditWatch["after"]>();
  codeUpdates().attach({ expect: () => {}, before: () => {}, after, miss: () => {}, stop: () => {} });
  followNextPage(window as never);
  vi.advanceTimersByTime(1_000);
  new (window.WebSocket as unknown as typeof WebSocket)("ws://localhost/_next/hmr");
  const say = (type: string): void => receive?.({ data: JSON.stringify({ type }) });
  return { after, say, applied: () => window.__NEXT_HMR_LATENCY_CB() };
}

it("an update is done when it is applied and what the server renders has arrived", () => {
  const { after, say, applied } = stage();
  for (const type of ["building", "serverComponentChanges", "built"]) say(type);
  applied();
  vi.advanceTimersByTime(2_000);
  expect(after).not.toHaveBeenCalled();
  onRequest?.();
  vi.advanceTimersByTime(1_000);
  expect(after.mock.calls).toEqual([[["*"], true]]);
});

it("an update that is still on its way after the longest time is reported as one that is not done", () => {
  const { after, say, applied } = stage();
  for (const type of ["building", "serverComponentChanges", "built"]) say(type);
  applied();
  vi.advanceTimersByTime(10_000);
  expect(after.mock.calls).toEqual([[["*"], false]]);
});
