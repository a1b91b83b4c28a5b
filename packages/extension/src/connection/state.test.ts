import { describe, expect, it } from "vitest";
import {
  type ConnectionEvent,
  type ConnectionState,
  initialState,
  nextState,
  type RetryPolicy,
} from "./state.js";

const policy: RetryPolicy = {
  firstMs: 1_000,
  maxMs: 16_000,
  maxRetries: 5,
  maxFirstRetries: 2,
  random: () => 1,
};
const lost = (now = 0): ConnectionEvent => ({ kind: "lost", reason: "refused", now });
const after = (...events: ConnectionEvent[]): ConnectionState =>
  events.reduce((state, event) => nextState(state, event, policy), initialState(policy));

describe("the state of a connection", () => {
  it("doubles the delay with each retry and fails when there are none left", () => {
    const events: ConnectionEvent[] = [{ kind: "ready" }];
    for (const seconds of [1, 2, 4, 8, 16]) {
      events.push(lost(7));
      expect(after(...events)).toMatchObject({ status: "waiting", retryAt: 7 + seconds * 1_000 });
      events.push({ kind: "open" });
    }
    expect(after(...events)).toMatchObject({ status: "connecting", retries: 5, lastError: "refused" });
    expect(after(...events, lost())).toMatchObject({ status: "failed", lastError: "refused" });
  });

  it("tries fewer times before the first success", () => {
    expect(after(lost(), lost()).status).toBe("waiting");
    expect(after(lost(), lost(), lost()).status).toBe("failed");
  });

  it("forgets retries and errors after a success", () => {
    expect(after(lost(), { kind: "open" }, { kind: "ready" })).toEqual({
      status: "connected",
      retries: 0,
      maxRetries: 5,
    });
  });

  it("makes one attempt from failed, and all of them after a reset", () => {
    const failed: ConnectionEvent = { kind: "give-up", reason: "no answer" };
    expect(after(failed, { kind: "open" }, lost()).status).toBe("failed");
    expect(after(failed, { kind: "reset" }, { kind: "open" }, lost())).toMatchObject({
      status: "waiting",
      retries: 1,
      maxRetries: 5,
    });
  });

  it("keeps the advice while versions are incompatible, and tries again when that connection ends", () => {
    const incompatible: ConnectionEvent = { kind: "incompatible", advice: "update" };
    expect(after(incompatible)).toMatchObject({ status: "incompatible", advice: "update" });
    expect(after(incompatible, lost())).not.toHaveProperty("advice");
  });
});
