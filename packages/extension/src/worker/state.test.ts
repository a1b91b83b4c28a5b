import { describe, expect, it } from "vitest";
import { after, type ConnectionState, NOT_CONNECTED, upgradeText } from "./state.js";

describe("the state of the connection", () => {
  it("counts retries until one succeeds", () => {
    let state: ConnectionState = NOT_CONNECTED;
    state = after(state, { kind: "lost", reason: "refused", retryAt: 5 });
    state = after(after(state, { kind: "connecting" }), { kind: "lost", reason: "refused", retryAt: 9 });
    expect(state).toMatchObject({ status: "waiting", retries: 2, retryAt: 9, lastError: "refused" });
    state = after(state, { kind: "lost", reason: "refused", retryAt: undefined });
    expect(state).toMatchObject({ status: "failed", lastError: "refused" });
    state = after(state, { kind: "ready", hubVersion: "0.1.0" });
    expect(state).toEqual({ status: "connected", retries: 0, messageErrors: 0, hubVersion: "0.1.0" });
  });

  it("counts message errors and keeps them over a reconnect", () => {
    let state = after(NOT_CONNECTED, { kind: "message-error", text: "bad" });
    state = after(state, { kind: "ready" });
    expect(state.messageErrors).toBe(1);
  });

  it("says which side is to be updated", () => {
    expect(upgradeText("2.0.0", [])).toContain("update the extension");
    expect(upgradeText("1.0.0", ["2.0.0", "2.1.0"])).toContain("update the extension");
    expect(upgradeText("0.9.0", [])).toContain("update the debug-bridge command line");
  });
});
