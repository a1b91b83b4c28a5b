import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StandingCasts } from "./standing-casts.js";

const sent: string[] = [];
const seen = new Set<number>();
let casts: StandingCasts;

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  seen.clear();
  casts = new StandingCasts(
    (tabId) => seen.has(tabId),
    (tabId, method) => void sent.push(`${tabId} ${method.replace(/Page\.(start|stop)Screencast/, "$1")}`),
  );
});
afterEach(() => vi.useRealTimers());

const run = (tabId: number, method = "Runtime.evaluate"): void => casts.begin(tabId, method)();

describe("tabs that agents work in and nobody sees", () => {
  it("draw from the first command until a while after the last", () => {
    run(1);
    vi.advanceTimersByTime(4_000);
    run(1);
    vi.advanceTimersByTime(4_000);
    expect(sent).toEqual(["1 start"]);
    vi.advanceTimersByTime(1_001);
    expect(sent).toEqual(["1 start", "1 stop"]);
  });

  it("draw as long as a command runs", () => {
    const done = casts.begin(1, "Runtime.callFunctionOn");
    vi.advanceTimersByTime(60_000);
    expect(sent).toEqual(["1 start"]);
    done();
    vi.advanceTimersByTime(5_001);
    expect(sent).toEqual(["1 start", "1 stop"]);
  });

  it("need no help while the person sees them", () => {
    seen.add(1);
    const done = casts.begin(1, "Runtime.evaluate");
    expect(sent).toEqual([]);
    seen.delete(1);
    casts.reviewAll();
    seen.add(1);
    casts.reviewAll();
    expect(sent).toEqual(["1 start", "1 stop"]);
    done();
  });

  it("give way to a client's own screencast, and its frames are the client's", () => {
    run(1);
    expect(casts.isOwnEvent(1, "Page.screencastFrame")).toBe(true);
    run(1, "Page.startScreencast");
    expect(casts.isOwnEvent(1, "Page.screencastFrame")).toBe(false);
    run(1);
    expect(sent).toEqual(["1 start", "1 stop"]);
    run(1, "Page.stopScreencast");
    expect(sent).toEqual(["1 start", "1 stop", "1 start"]);
    expect(casts.isOwnEvent(1, "Page.screencastFrame")).toBe(true);
  });

  it("are forgotten with the debugger", () => {
    const done = casts.begin(1, "Runtime.evaluate");
    casts.forget(1);
    done();
    vi.advanceTimersByTime(20_000);
    casts.reviewAll();
    expect(sent).toEqual(["1 start"]);
  });
});
