import type { SessionSummary } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { chooseSession } from "./bridge.js";

function session(id: string, about: Partial<SessionSummary> = {}): SessionSummary {
  return { id, kind: "app", connected: true, apps: 1, agents: 0, sequence: 1, ...about };
}

const used = (seconds: number) => ({ lastUsedAt: `2026-01-01T00:00:0${seconds}.000Z` });

describe("a session that is not named", () => {
  it("is the only one that is connected", () => {
    const sessions = [session("gone", { connected: false, ...used(9) }), session("shop")];
    expect(chooseSession(sessions, "page").id).toBe("shop");
  });

  it("is the tab in front before the one that was used last", () => {
    const sessions = [session("shop", used(9)), session("tab-1", { kind: "tab", active: true, ...used(1) })];
    expect(chooseSession(sessions, "page").id).toBe("tab-1");
  });

  it("is the one that was used last when no tab is in front", () => {
    const sessions = [session("a", used(1)), session("b", used(3)), session("c", used(2)), session("d")];
    expect(chooseSession(sessions, "page").id).toBe("b");
  });

  it("is the one that was used last when several tabs are in front, one per browser", () => {
    const front = { kind: "tab", active: true } as const;
    expect(
      chooseSession([session("tab-1", front), session("tab-2", { ...front, ...used(1) })], "page").id,
    ).toBe("tab-2");
  });

  it("is refused with the candidates when nothing distinguishes them", () => {
    const sessions = [session("a", { ...used(1), title: "Shop" }), session("b", used(1))];
    expect(() => chooseSession(sessions, "page")).toThrow(/2 sessions are connected.*a "Shop"; b/);
  });

  it("is an agent only when an agent is meant", () => {
    const sessions = [session("shop"), session("ada", { kind: "agent", ...used(1) })];
    expect(chooseSession(sessions, "page").id).toBe("shop");
    expect(chooseSession(sessions, "agent").id).toBe("ada");
    expect(() => chooseSession([session("shop")], "agent")).toThrow("no agent is connected");
  });
});
