import { describe, expect, it } from "vitest";
import type { ConnectionState } from "../connection/state.js";
import { readSettings } from "../settings/settings.js";
import {
  type PopupView,
  problemLine,
  questionText,
  sortTabs,
  statusLine,
  tabLine,
  wireLines,
} from "./view.js";

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
  waiting: [],
  questions: [],
});

describe("the connection in the popup", () => {
  it("is one line while both wires agree", () => {
    expect(statusLine(viewOf(connected, connected), 0)).toBe("Connected");
    expect(wireLines(viewOf(connected, connected), 0)).toEqual([]);
    expect(statusLine(viewOf(failed, failed), 0)).toBe("No hub found");
  });

  it("says why no element can be picked, unless there is no hub", () => {
    const picks = { started: 0, problem: "The tab is not shared." };
    const line = "No element can be picked: The tab is not shared.";
    expect(problemLine({ ...viewOf(connected, connected), picks })).toBe(line);
    expect(problemLine({ ...viewOf(failed, failed), picks })).toContain("No hub answers");
    expect(problemLine({ ...viewOf(connected, connected), picks: { started: 1 } })).toBeUndefined();
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
  const tab = { tabId: 1, title: "", url: "", site: "shop.test", clients: [], offered: true };
  const shared = { ...tab, access: { level: "full" } } as const;
  it("shows who uses it, or what agents may do", () => {
    expect(tabLine(tab)).toBe("not shared");
    expect(tabLine(shared)).toBe("full access");
    expect(tabLine({ ...shared, access: { level: "read-only" } })).toBe("read-only");
    const locked = { ...shared, access: { level: "site", site: "shop.test" } } as const;
    expect(tabLine(locked)).toBe("only shop.test");
    expect(tabLine({ ...locked, offered: false })).toBe("paused: not on shop.test");
    expect(tabLine({ ...shared, clients: ["Playwright", "Codex"] })).toBe("used by Playwright, Codex");
    expect(tabLine({ ...tab, restricted: "a page of the browser itself" })).toBe(
      "a page of the browser itself",
    );
  });

  it("comes first when it is the current one, then those in use", () => {
    const tabs = [
      { ...shared, tabId: 1 },
      { ...shared, tabId: 2, clients: ["Codex"] },
      { ...shared, tabId: 3 },
      { ...tab, tabId: 4 },
      { ...tab, tabId: 5, restricted: "a page of the browser itself" },
    ];
    const { shared: first, others } = sortTabs(tabs, 3);
    expect(first.map(({ tabId }) => tabId)).toEqual([3, 2, 1]);
    expect(others.map(({ tabId }) => tabId)).toEqual([4]);
  });
});

describe("a question of a client", () => {
  it("says what it wants to do", () => {
    const question = { id: 1, client: "Codex", grant: "cookies", method: "Storage.getCookies" } as const;
    expect(questionText(question)).toBe("Codex wants to reach cookies and stored data of all sites.");
  });
});
