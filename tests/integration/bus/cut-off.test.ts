import { HubClient } from "@debug-bridge/client";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../fixtures.js";
import { startNats } from "../../support/bus/nats.js";
import { newToken, startHub } from "../../support/hub/hub-processes.js";
import { ResumingApp } from "../../support/hub/resuming-app.js";
import { TcpProxy } from "../../support/hub/tcp-proxy.js";

const SESSION = "shop";

/** Two hubs, of which the first can be cut off from NATS, and an app whose session is on the first. */
async function setUp() {
  const nats = await startNats();
  onTestFinished(() => nats.stop());
  const way = await TcpProxy.to(new URL(nats.url).port);
  const token = newToken();
  const cut = await startHub(`${way.through(nats.url)}/cut-off`, "cut", { token });
  const other = await startHub(`${nats.url}/cut-off`, "other", { token });
  const app = new ResumingApp([cut.ready.hub, other.ready.hub], SESSION, "page-1");
  onTestFinished(() => app.end());
  await until(() => app.connections === 1);
  const clients = [cut, other].map(({ ready }) => new HubClient({ hub: ready.hub, token, name: "reader" }));
  onTestFinished(() => {
    for (const client of clients) client.close();
  });
  return { way, app, atCut: clients[0] as HubClient, atOther: clients[1] as HubClient };
}

const numbersIn = (events: readonly { readonly type: string; readonly data?: unknown }[]): number[] =>
  events
    .filter(({ type }) => type === "console")
    .map(({ data }) => Number(/number (\d+)/.exec(JSON.stringify(data))?.[1]));

const click = { type: "click", target: { text: "Save" } } as const;

test("a hub that is cut off from NATS answers commands, and shows no record that another hub could number differently", async () => {
  const { way, app, atCut, atOther } = await setUp();
  const say = (number: number): void =>
    app.send({ type: "console", level: "log", args: [`number ${number}`] });
  for (let i = 1; i <= 20; i++) say(i);
  await until(async () => numbersIn((await atCut.events(SESSION)).events).length === 20);
  const before = await atCut.events(SESSION);
  expect(before.waiting).toBeUndefined();

  way.silence();
  for (let i = 21; i <= 40; i++) say(i);
  // The first answer waits for NATS for a while, later ones do not.
  expect(await atCut.command(SESSION, click)).toMatchObject({ success: true });
  expect(await atCut.command(SESSION, click)).toMatchObject({ success: true });
  const during = await atCut.events(SESSION, before.next);
  expect(during.events).toEqual([]);
  expect(during.next).toBe(before.next);
  expect(during.waiting).toBeGreaterThanOrEqual(20);

  // The other hub takes the session over, and the page reaches it there.
  await until(async () => {
    const page = await atOther.events(SESSION, before.next).catch(() => undefined);
    return page !== undefined;
  });
  way.heal();
  await until(() => app.connections >= 2);
  say(41);
  const read: number[] = [];
  let since = before.next;
  await until(async () => {
    const page = await atOther.events(SESSION, since);
    since = page.next;
    read.push(...numbersIn(page.events));
    return read.includes(41);
  });
  expect(read).toEqual(Array.from({ length: 21 }, (_, i) => i + 21));
  // The page did each act once: nobody sent one of them again.
  expect(app.commands).toHaveLength(2);
});

test("records that waited for NATS are shown in their order once it stores them", async () => {
  const { way, app, atCut } = await setUp();
  way.silence();
  for (let i = 1; i <= 20; i++) app.send({ type: "console", level: "log", args: [`number ${i}`] });
  await atCut.command(SESSION, click);
  expect(numbersIn((await atCut.events(SESSION)).events)).toEqual([]);
  way.heal();
  await until(async () => numbersIn((await atCut.events(SESSION)).events).length === 20);
  const { events, waiting } = await atCut.events(SESSION);
  expect(numbersIn(events)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
  expect(waiting).toBeUndefined();
});
