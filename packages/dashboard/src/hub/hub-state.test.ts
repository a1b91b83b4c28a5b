import type { SessionSummary } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { INITIAL_STATE, reduceHub } from "./hub-state.js";

const session = (id: string, connected = true): SessionSummary => ({
  ...{ id, kind: "app", connected, apps: 1, agents: 0, sequence: 0 },
});

describe("what the dashboard knows about the hub", () => {
  it("is live once the sessions are listed, and follows their changes", () => {
    const listed = reduceHub(INITIAL_STATE, { kind: "listed", sessions: [session("a")], waiting: ["Codex"] });
    expect(listed).toMatchObject({ connection: "live", waiting: ["Codex"] });
    const left = reduceHub(listed, { kind: "event", event: { type: "session", data: session("a", false) } });
    const joined = reduceHub(left, { kind: "event", event: { type: "session", data: session("b") } });
    expect([...joined.sessions.values()].map(({ id, connected }) => [id, connected])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    const asked = reduceHub(joined, { kind: "event", event: { type: "waiting", clients: [] } });
    expect(asked.waiting).toEqual([]);
  });

  it("keeps what it shows while the hub is lost, with the time at which it was lost", () => {
    const shown = reduceHub(INITIAL_STATE, { kind: "listed", sessions: [session("a")], waiting: [] });
    const lost = reduceHub(reduceHub(shown, { kind: "lost", at: 5 }), { kind: "lost", at: 9 });
    expect(lost).toMatchObject({ connection: "lost", lostAt: 5 });
    expect(lost.sessions.size).toBe(1);
    expect(reduceHub(lost, { kind: "listed", sessions: [], waiting: [] })).toEqual({
      ...{ connection: "live", sessions: new Map(), waiting: [] },
    });
    expect(reduceHub(lost, { kind: "refused", problem: "no token" })).toMatchObject({
      ...{ connection: "refused", problem: "no token" },
    });
  });
});
