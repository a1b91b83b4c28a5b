import { describe, expect, it } from "vitest";
import type { ConnectionState } from "../connection/state.js";
import { readSettings } from "../settings/settings.js";
import { type PopupView, problemLine, statusLine, tabLine, wireLines } from "./view.js";

const shared = { retries: 0, maxRetries: 5 };
const connected: ConnectionState = { ...shared, status: "connected" };
const failed: ConnectionState = { ...shared, status: "failed", lastError: "nothing answers" };
const waiting: ConnectionState = { ...shared, status: "waiting", retries: 2, retryAt: 3_400 };

const viewOf = (console: ConnectionState, relay: ConnectionState): PopupView => ({
  storedChange: 0,
  settings: readSettings({}),
  connections: { console, relay },
  pairing: { status: "idle" },
  ends: [],
  console: { messageErrors: 0 },
  capturedTabs: [],
  agentTabs: [],
});

describe("the connection in the popup", () => {
  it("is one line while both wires agree", () => {
    expect(statusLine(viewOf(connected, connected), 0)).toBe("Connected");
    expect(wireLines(viewOf(connected, connected), 0)).toEqual([]);
    expect(statusLine(viewOf(failed, failed), 0)).toBe("No hub found");
  });

  it("names both wires when they differ", () => {
    const view = viewOf(connected, waiting);
    expect(statusLine(view, 1_000)).toBe("Connected (console only)");
    expect(wireLines(view, 1_000)).toEqual(["Console: Connected", "Agents: No hub; attempt 2 of 5 in 3 s"]);
    expect(statusLine(viewOf(failed, connected), 0)).toBe("Connected (agents only)");
  });

  it("shows the attempt that is still to come", () => {
    expect(statusLine(viewOf(waiting, failed), 1_000)).toBe("No hub; attempt 2 of 5 in 3 s");
    expect(statusLine(viewOf(failed, waiting), 1_000)).toBe("No hub; attempt 2 of 5 in 3 s");
  });

  it("explains what to do when there is no hub, and what went wrong otherwise", () => {
    expect(problemLine(viewOf(failed, failed))).toContain("Start one with “debug-bridge up”");
    expect(problemLine(viewOf(connected, failed))).toBe("Last error: nothing answers");
    expect(problemLine(viewOf(connected, connected))).toBeUndefined();
    expect(problemLine({ ...viewOf(connected, connected), settingsProblem: "not stored" })).toBe(
      "not stored",
    );
  });
});

describe("a tab in the popup", () => {
  const tab = { tabId: 1, title: "", url: "", clients: [], attached: false, offered: true };
  it("shows who uses it, or whether agents may", () => {
    expect(tabLine(tab)).toBe("offered to agents");
    expect(tabLine({ ...tab, offered: false })).toBe("not offered");
    expect(tabLine({ ...tab, clients: ["Playwright", "Codex"] })).toBe("used by Playwright, Codex");
    expect(tabLine({ ...tab, restricted: "a page of the browser itself" })).toBe(
      "a page of the browser itself",
    );
  });
});
