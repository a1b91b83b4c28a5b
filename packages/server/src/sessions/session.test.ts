import type { Command } from "@debug-bridge/protocol";
import { describe, expect, test } from "vitest";
import type { CommandAudit } from "../dispatch/command-dispatcher.js";
import { Policy } from "../dispatch/policy.js";
import type { Entry } from "../timeline/timeline.js";
import { Session } from "./session.js";

/** A session with an app and an agent in memory. */
function stage({ readOnly = false } = {}) {
  const entries: Entry[] = [];
  const audit: CommandAudit[] = [];
  const session = new Session("s", {
    policy: new Policy({ readOnly }),
    version: "0",
    onEntry: (_session, entry) => entries.push(entry),
    onAudit: (_session, entry) => audit.push(entry),
    onPeersChanged: () => {},
  });
  const link = (sent: Record<string, unknown>[]) => ({
    send: (data: string | Buffer) => void sent.push(JSON.parse(String(data))),
    close: () => {},
    buffered: 0,
  });
  const toApp: Record<string, unknown>[] = [];
  const toAgent: Record<string, unknown>[] = [];
  const app = session.addApp(link(toApp));
  const agent = session.addAgent(link(toAgent), { id: "a", records: false, deltas: false, quiet: false });
  const fromApp = (message: object): void => {
    const whole = { sessionId: "s", timestamp: 1, origin: "app", ...message };
    session.fromApp(app, whole as never, JSON.stringify(whole), JSON.stringify(whole));
  };
  const fromAgent = (input: object): void => {
    const command = { sessionId: "s", timestamp: 1, origin: "agent", ...input } as Command;
    session.fromAgent(agent, command, JSON.stringify(command));
  };
  const records = (): unknown[] =>
    entries.map(({ type, sequence, causedBy, json }) => ({
      type,
      sequence,
      causedBy,
      data: JSON.parse(json),
    }));
  return { session, entries, audit, toApp, toAgent, fromApp, fromAgent, records };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const click = { type: "click", target: { ref: "e1" }, requestId: "r1" } as const;

describe("a session", () => {
  test("records a command, its effects with their cause, and its result; audits it once", async () => {
    const { fromAgent, fromApp, records, audit, toApp, toAgent } = stage();
    fromAgent(click);
    expect(toApp.at(-1)).toMatchObject({ type: "click", requestId: "r1" });
    fromApp({ type: "console", level: "log", args: ["clicked"] });
    fromApp({ type: "command_result", requestType: "click", requestId: "r1", success: true });
    await settled();
    fromApp({ type: "console", level: "log", args: ["later"] });
    expect(records()).toMatchObject([
      { type: "command", sequence: 1, causedBy: undefined, data: { type: "click", client: "a" } },
      { type: "console", sequence: 2, causedBy: 1 },
      { type: "command_result", sequence: 3, causedBy: 1 },
      { type: "console", sequence: 4, causedBy: undefined },
    ]);
    expect(toAgent.filter(({ type }) => type === "command_result")).toHaveLength(1);
    expect(audit).toEqual([{ who: "a", what: "click", target: { ref: "e1" }, outcome: "done" }]);
  });

  test("gives effects no cause while two commands run, and each result its own", async () => {
    const { fromAgent, fromApp, records } = stage();
    fromAgent(click);
    fromAgent({ ...click, requestId: "r2" });
    fromApp({ type: "console", level: "log", args: ["whose?"] });
    fromApp({ type: "command_result", requestType: "click", requestId: "r2", success: true });
    fromApp({ type: "command_result", requestType: "click", requestId: "r1", success: true });
    await settled();
    expect(records()).toMatchObject([
      { type: "command" },
      { type: "command" },
      { type: "console", causedBy: undefined },
      { type: "command_result", causedBy: 2 },
      { type: "command_result", causedBy: 1 },
    ]);
  });

  test("commands that only look are recorded, but are not a cause and not in the audit log", async () => {
    const { fromAgent, fromApp, records, audit } = stage();
    fromAgent({ type: "wait_for", idle: true, requestId: "r1" });
    fromApp({ type: "console", level: "log", args: ["by itself"] });
    fromApp({ type: "command_result", requestType: "wait_for", requestId: "r1", success: true });
    await settled();
    expect(records()).toMatchObject([
      { type: "command" },
      { type: "console", causedBy: undefined },
      { type: "command_result", causedBy: 1 },
    ]);
    expect(audit).toEqual([]);
  });

  test("a refused command is in timeline and audit log once, with its error, and never reaches the app", async () => {
    const { fromAgent, records, audit, toApp, toAgent } = stage({ readOnly: true });
    fromAgent(click);
    await settled();
    expect(toApp.filter(({ type }) => type === "click")).toEqual([]);
    expect(records()).toMatchObject([
      { type: "command", data: { type: "click" } },
      { type: "command_result", causedBy: 1, data: { success: false, error: "read_only" } },
    ]);
    expect(audit).toMatchObject([{ what: "click", outcome: "read_only" }]);
    expect(toAgent.at(-1)).toMatchObject({ requestId: "r1", error: "read_only" });
  });

  test("sends a command without instanceId to the newest page, and one for all to every page", async () => {
    const { session, fromAgent, toApp } = stage();
    const second: string[] = [];
    session.addApp({ send: (data) => void second.push(String(data)), close: () => {}, buffered: 0 });
    fromAgent(click);
    const clicks = (sent: readonly unknown[]): number =>
      sent.filter((each) => JSON.stringify(each).includes("click")).length;
    expect([clicks(toApp), clicks(second)]).toEqual([0, 1]);
    fromAgent({ ...click, requestId: "r2", instanceId: "all" });
    expect([clicks(toApp), clicks(second)]).toEqual([1, 2]);
  });

  test("an app on a socket is of kind app, whatever kind it claims", () => {
    const { session, fromApp, records } = stage();
    fromApp({ type: "hello", protocolVersion: 1, url: "http://a/", title: "", userAgent: "", kind: "tab" });
    expect(session.summary().kind).toBe("app");
    expect(records()).toMatchObject([{ type: "hello", data: { kind: "app" } }]);
  });

  test("a command whose app disconnects ends with an unknown outcome", async () => {
    const { session, audit, toAgent, toApp } = stage();
    const app = session.addApp({
      send: (data) => toApp.push(JSON.parse(String(data))),
      close: () => {},
      buffered: 0,
    });
    const result = session.command(click, "http");
    await settled();
    session.removeApp(app, "its connection closed");
    expect(await result).toMatchObject({ success: false, error: "outcome_unknown", outcome: "unknown" });
    expect(audit).toMatchObject([{ who: "http", outcome: "outcome_unknown" }]);
    expect(toAgent.filter(({ type }) => type === "command_result")).toEqual([]);
  });
});
