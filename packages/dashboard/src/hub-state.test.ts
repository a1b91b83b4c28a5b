import type { SessionSummary, TimelineRecord } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { INITIAL_STATE, reduceHub } from "./hub-state.js";

const session = (id: string, connected = true): SessionSummary => ({
  ...{ id, kind: "app", connected, apps: 1, agents: 0, sequence: 0 },
});
const record = (sequence: number): TimelineRecord => ({
  ...{ type: "console", sessionId: "a", timestamp: "2026-01-01T00:00:00.000Z", sequence, data: {} },
});

describe("what the dashboard knows about the hub", () => {
  it("is live once the sessions are listed, and follows their changes", () => {
    const listed = reduceHub(INITIAL_STATE, { kind: "listed", sessions: [session("a")], waiting: ["Codex"] });
    expect(listed.waiting).toEqual(["Codex"]);
    const changed = reduceHub(listed, {
      kind: "events",
      events: [
        { type: "session", data: session("a", false) },
        { type: "session", data: session("b") },
        { type: "waiting", clients: [] },
        record(1),
      ],
    });
    expect(changed.waiting).toEqual([]);
    expect(changed.connection).toBe("live");
    expect([...changed.sessions.values()].map(({ id, connected }) => [id, connected])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    expect(changed.records).toEqual([record(1)]);
  });

  it("keeps the newest 500 records", () => {
    const events = Array.from({ length: 700 }, (_, i) => record(i + 1));
    const { records } = reduceHub(INITIAL_STATE, { kind: "events", events });
    expect(records).toHaveLength(500);
    expect(records.at(-1)?.sequence).toBe(700);
  });

  it("keeps what it shows while the hub is lost, and starts again when it is back", () => {
    const shown = reduceHub(INITIAL_STATE, { kind: "events", events: [record(1)] });
    const lost = reduceHub(shown, { kind: "lost" });
    expect(lost).toMatchObject({ connection: "lost", records: [record(1)] });
    expect(reduceHub(lost, { kind: "listed", sessions: [], waiting: [] }).records).toEqual([]);
    expect(reduceHub(lost, { kind: "refused", problem: "no token" })).toMatchObject({
      connection: "refused",
      problem: "no token",
    });
  });
});
