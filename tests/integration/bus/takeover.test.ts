import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type ReadyLine, startUp, until } from "../../fixtures.js";
import { hubsOn, TestBuses } from "../../support/bus/bus.js";
import type { TestHub } from "../../support/hub/hub.js";
import { ResumingApp } from "../../support/hub/resuming-app.js";
import { WireClient, type WireMessage } from "../../support/hub/wire-client.js";

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

interface Process {
  readonly ready: ReadyLine;
  readonly token: string;
  kill(signal: NodeJS.Signals): void;
}

async function startHubs(...names: string[]): Promise<Process[]> {
  const bus = buses.address();
  return Promise.all(
    names.map(async (name) => {
      const { ready, child } = await startUp(["--bus", bus, "--bus-name", name]);
      const token = readFileSync(ready.tokenFile, "utf8").trim();
      return { ready, token, kill: (signal) => void child.kill(signal) };
    }),
  );
}

function agentOf({ ready, token }: Process, sessionId: string): Promise<WireClient> {
  return WireClient.connect(ready.hub, { role: "agent", sessionId, token, query: { since: "0" } });
}

function appOf(hubs: readonly Process[], sessionId: string): ResumingApp {
  const app = new ResumingApp(
    hubs.map(({ ready }) => ready.hub),
    sessionId,
    "page-1",
  );
  onTestFinished(() => app.end());
  return app;
}

const numbersIn = (records: readonly WireMessage[]): number[] =>
  records
    .filter(({ type }) => type === "console")
    .map(({ data }) => Number(/number (\d+)/.exec(JSON.stringify(data))?.[1]));

const say = (app: ResumingApp, number: number): void =>
  app.send({ type: "console", level: "log", args: [`number ${number}`] });

test("a session of a hub that is killed goes on at another one, and no record is lost or repeated [ARC-107]", async () => {
  const [a, b] = (await startHubs("a", "b")) as [Process, Process];
  const app = appOf([a, b], "shop");
  await until(() => app.connections === 1);
  for (let i = 1; i <= 300; i++) {
    say(app, i);
    // The hub is killed in the middle of a burst.
    if (i === 200) a.kill("SIGKILL");
    if (i % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
  }
  const killed = Date.now();
  await until(() => app.connections === 2);
  expect(Date.now() - killed).toBeLessThan(15_000);
  const agent = await agentOf(b, "shop");
  await until(() => numbersIn(agent.received).length >= 300);
  const records = agent.received.filter(({ sequence }) => sequence !== undefined);
  expect(numbersIn(records)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  expect(records.map(({ sequence }) => sequence)).toEqual(records.map((_, i) => i + 1));
  expect(records.filter(({ type }) => type === "gap")).toEqual([]);
  // It is a session like any other again.
  const acting = await WireClient.connect(b.ready.hub, { role: "agent", sessionId: "shop", token: b.token });
  expect(await acting.command({ type: "click", target: { text: "Save" } })).toMatchObject({ success: true });
  expect(app.commands).toHaveLength(1);
});

test("a page that is connected to another hub than its session gets a new one when that is killed", async () => {
  const [a, b] = (await startHubs("a", "b")) as [Process, Process];
  const waiting = await agentOf(a, "shop");
  await waiting.next("session_status");
  const app = appOf([b], "shop");
  await until(() => app.connections === 1);
  say(app, 1);
  await until(() => numbersIn(waiting.received).length === 1);
  // What was stored is what counts; it takes a moment.
  await new Promise((resolve) => setTimeout(resolve, 100));
  a.kill("SIGKILL");
  await until(() => app.connections === 2);
  say(app, 2);
  const agent = await agentOf(b, "shop");
  await until(() => numbersIn(agent.received).length === 2);
  expect(numbersIn(agent.received)).toEqual([1, 2]);
});

test("an act on its way to a page through a hub that is killed ends as unknown in seconds, also if the page stays away", async () => {
  const [a, b] = (await startHubs("a", "b")) as [Process, Process];
  const acting = await WireClient.connect(a.ready.hub, { role: "agent", sessionId: "shop", token: a.token });
  await acting.next("session_status");
  const app = appOf([b], "shop");
  app.isAnswering = false;
  await acting.next("session_status", ({ status }) => status === "connected");
  const answered = acting.command({ type: "click", target: { text: "Save" } });
  await until(() => app.commands.length === 1);
  b.kill("SIGKILL");
  const killed = Date.now();
  expect(await answered).toMatchObject({ success: false, error: "outcome_unknown" });
  // Three seconds until the hub counts as lost, and what a busy machine adds.
  expect(Date.now() - killed).toBeLessThan(15_000);
});

test("a hub that stood still while its session was taken over gives it up", async () => {
  const [a, b] = (await startHubs("a", "b")) as [Process, Process];
  const app = await WireClient.connect(a.ready.hub, { role: "app", sessionId: "shop" });
  app.send({ type: "hello", url: "http://localhost/", userAgent: "test", protocolVersion: 1 });
  const before = await agentOf(a, "shop");
  await before.next("hello");
  await new Promise((resolve) => setTimeout(resolve, 100));
  a.kill("SIGSTOP");
  onTestFinished(() => a.kill("SIGCONT"));
  const agent = await agentOf(b, "shop");
  await agent.next("hello");
  a.kill("SIGCONT");
  expect((await app.closed).reason).toContain('on the hub "b-');
  const again = await WireClient.connect(a.ready.hub, { role: "app", sessionId: "shop" });
  again.send({ type: "hello", url: "http://localhost/", userAgent: "test", protocolVersion: 1 });
  await agent.next("session_status", ({ status }) => status === "connected");
});

test("a hub that is stopped hands its sessions over at once, pinned to the origin that they had", async () => {
  const [a, b] = (await hubsOn(buses.kinds[1]?.[1]() as never, ["a", "b"])) as [TestHub, TestHub];
  const origin = "http://localhost:3000";
  (await a.app("shop", { origin })).send({
    ...{ type: "hello", url: `${origin}/`, userAgent: "test", protocolVersion: 1 },
  });
  await until(async () => (await (await b.api("/v1/sessions")).text()).includes('"connected":true'));
  await a.close();
  const events = await b.api("/v1/sessions/shop/events");
  expect(((await events.json()) as { events: { type: string }[] }).events.map(({ type }) => type)).toEqual([
    "hello",
  ]);
  const thief = await b.app("shop", { origin: "http://localhost:6666" });
  expect(await thief.next("bridge_error")).toMatchObject({ code: "forbidden_origin" });
  const page = await b.app("shop", { origin });
  page.send({ type: "hello", url: `${origin}/`, userAgent: "test", protocolVersion: 1, instanceId: "p" });
  await page.next("welcome");
});

test("hubs go on after the NATS server was killed and started again", async () => {
  const [a, b] = (await hubsOn(buses.kinds[1]?.[1]() as never, ["a", "b"])) as [TestHub, TestHub];
  const app = new ResumingApp([a.url], "shop", "page-1");
  onTestFinished(() => app.end());
  await until(() => app.connections === 1);
  const agent = await b.agent("shop", { query: { since: "0" } });
  say(app, 1);
  await until(() => numbersIn(agent.received).length === 1);
  await buses.restartNats();
  // What went through the lost connection is not guessed: the agent has to connect again.
  await agent.closed;
  say(app, 2);
  const again = await until(async () => {
    const each = await b.agent("shop", { query: { since: "0" } });
    await until(() => each.received.length > 0);
    return each.received[0]?.type === "bridge_error" ? undefined : each;
  });
  await until(() => numbersIn(again.received).length === 2);
  expect(numbersIn(again.received)).toEqual([1, 2]);
  expect(app.connections).toBe(1);
});
