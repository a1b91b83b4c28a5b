import { expect, test } from "vitest";
import { Policy } from "../dispatch/policy.js";
import { HubConnection } from "./peers/hub-connection.js";
import { Sessions } from "./registry.js";

const policy = new Policy({ readOnly: false });

function registry(): Sessions {
  return new Sessions({
    policy,
    version: "0",
    onEntry: () => {},
    onAudit: () => {},
    onPeersChanged: () => {},
  });
}

const link = { send: () => {}, close: () => {}, buffered: 0 };

test("the session of a closed tab leaves the list within a minute, once nobody is connected", () => {
  const sessions = registry();
  const session = sessions.open("tab-1");
  const app = session.addApp(link);
  session.record("hello", 0, "{}");
  session.removeApp(app, "closed");
  sessions.releaseIfIdle(session);
  sessions.markClosed(session, 0);
  const reader = session.addAgent(link, { id: "a", records: true, deltas: false, quiet: false });
  sessions.sweep(60_000);
  expect(sessions.get("tab-1")).toBe(session);
  session.removeAgent(reader);
  sessions.sweep(30_000);
  expect(sessions.get("tab-1")).toBe(session);
  sessions.sweep(60_000);
  expect(sessions.get("tab-1")).toBeUndefined();
  sessions.close();
});

test("other sessions stay, up to a hundred, including those that no peer ever joined", () => {
  const sessions = registry();
  for (let i = 0; i < 120; i++) sessions.open(`s${i}`).record("console", 0, "{}");
  sessions.sweep(1e9);
  expect(sessions.size).toBe(100);
  expect(sessions.get("s0")).toBeUndefined();
  expect(sessions.get("s119")).toBeDefined();
  sessions.close();
});

test("a client inside the process commands, reads and follows a session, and leaves no lease behind", async () => {
  const sessions = registry();
  const session = sessions.open("s");
  const sent: string[] = [];
  const app = session.addApp({ ...link, send: (data) => void sent.push(String(data)) });
  const client = new HubConnection("client-1:test", sessions, policy);
  const seen: string[] = [];
  client.subscribe("s", ({ type }) => seen.push(type));
  const result = client.command("s", { type: "click", target: { ref: "e1" } });
  const { requestId } = JSON.parse(sent.at(-1) as string) as { requestId: string };
  const reply = { type: "command_result", requestType: "click", requestId, success: true } as const;
  const whole = { ...reply, sessionId: "s", timestamp: 1, origin: "app" as const };
  session.fromApp(app, whole, JSON.stringify(whole), "");
  expect(await result).toMatchObject({ success: true, requestId });
  expect(client.records("s").map(({ type, causedBy }) => [type, causedBy])).toEqual([
    ["command", undefined],
    ["command_result", 1],
  ]);
  expect(client.records("s", 1)).toHaveLength(1);
  expect(client.sequence("s")).toBe(2);
  expect(seen).toEqual(["command", "command_result"]);
  await client.command("s", { type: "acquire_lease" });
  const other = new HubConnection("client-2:test", sessions, policy);
  expect(() => other.mayAct("s", "click")).toThrow("client-1:test");
  await expect(other.command("s", { type: "click", target: { ref: "e1" } })).resolves.toMatchObject({
    error: "lease_held",
  });
  client.close();
  expect(() => other.mayAct("s", "click")).not.toThrow();
  await expect(client.command("s", { type: "release_lease" })).rejects.toThrow("was closed");
  await expect(other.command("none", { type: "release_lease" })).rejects.toThrow('session "none"');
  sessions.close();
});

test("a name is free for another owner once its app and everybody else has been gone for five minutes", () => {
  const sessions = registry();
  const shop = { kind: "origin", origin: "http://localhost:3000" } as const;
  const other = { kind: "origin", origin: "http://localhost:6666" } as const;
  const session = sessions.openFor("s", shop);
  const app = session.addApp(link, { origin: shop.origin });
  session.record("hello", 0, "{}");
  const now = Date.now();
  expect(() => sessions.openFor("s", other, now + 600_000)).toThrow('session "s" belongs to pages of');
  session.removeApp(app, "left");
  sessions.releaseIfIdle(session);
  expect(() => sessions.openFor("s", other, now + 60_000)).toThrow('session "s" belongs to pages of');
  const reader = session.addAgent(link, { id: "a", records: true, deltas: false, quiet: false });
  expect(() => sessions.openFor("s", other, now + 600_000)).toThrow('session "s" belongs to pages of');
  session.removeAgent(reader);
  const next = sessions.openFor("s", other, now + 600_000);
  expect(next).not.toBe(session);
  expect(next.timeline.sequence).toBe(0);
  sessions.close();
});

test("a provider inside the hub gets its session, and the app that used the name before is disconnected", () => {
  const sessions = registry();
  const closed: number[] = [];
  const session = sessions.openFor("tab-7", { kind: "console" });
  session.addApp({ ...link, close: (code) => void closed.push(code) });
  const tab = sessions.openFor("tab-7", { kind: "hub", sessions: "tab" });
  expect(tab).not.toBe(session);
  expect(closed).toEqual([1001]);
  sessions.close();
});

test("all timelines together stay within the limit, and the largest give way first", () => {
  const sessions = registry();
  const small = sessions.open("small");
  small.record("console", 0, JSON.stringify("x".repeat(1_000)));
  for (let i = 0; i < 20; i++) {
    const large = sessions.open(`large-${i}`);
    for (let n = 0; n < 4; n++) large.record("console", 0, JSON.stringify("x".repeat(900_000)));
  }
  const kept = sessions.all().reduce((sum, { timeline }) => sum + timeline.measure(), 0);
  expect(kept).toBeLessThan(24_100_000);
  expect(small.timeline.readSince(0).entries).toHaveLength(1);
  sessions.close();
});
