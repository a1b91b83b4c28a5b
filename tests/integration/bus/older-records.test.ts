import type { Bus } from "@debug-bridge/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { TestBuses } from "../../support/bus/bus.js";
import { type TestHub, testHub } from "../../support/hub/hub.js";
import { ResumingApp } from "../../support/hub/resuming-app.js";

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

const LINES = 50;

/** A bus that lets nobody read older texts until it is opened, and counts who wants to. */
function gated(bus: Bus): { readonly bus: Bus; open(): void; readonly asked: () => number } {
  let open = (): void => {};
  let asked = 0;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const log: Bus["log"] = Object.create(bus.log, {
    read: {
      value: async (sessionId: string, upTo: number) => {
        asked++;
        await opened;
        return bus.log.read(sessionId, upTo);
      },
    },
  });
  const proxy = new Proxy(bus, {
    get(target, name) {
      const value = name === "log" ? log : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { bus: proxy, open: () => open(), asked: () => asked };
}

interface Events {
  readonly events: { readonly type: string; readonly sequence: number }[];
  readonly sequence: number;
}

const eventsOf = async (hub: TestHub, since: number): Promise<Events> =>
  (await (await hub.api(`/v1/sessions/shop/events?since=${since}`)).json()) as Events;

async function act(hub: TestHub): Promise<unknown> {
  const body = JSON.stringify({ type: "click", target: { text: "Save" } });
  const headers = { "content-type": "application/json" };
  return (await hub.api("/v1/sessions/shop/commands", { method: "POST", headers, body })).json();
}

describe.each(buses.kinds)("bus: %s", (_name, makeBus) => {
  test("another hub continues a session before it has read the older records, and readers still get all of them", async () => {
    const connect = makeBus();
    const a = await testHub({ bus: await connect("a") });
    const { bus, open, asked } = gated(await connect("b"));
    const b = await testHub({ bus });
    const c = await testHub({ bus: await connect("c") });
    const app = new ResumingApp([a.url, b.url], "shop", "page-1");
    await until(() => app.connections === 1);
    app.send({ type: "capabilities", capabilities: ["eval"] });
    for (let i = 0; i < LINES; i++) {
      app.send({ type: "console", level: "log", args: [`line ${i}`] });
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 15));
    }
    const before = await until(async () => {
      const { sequence } = await eventsOf(c, 0);
      return sequence === LINES + 2 ? sequence : undefined;
    });
    await a.close();
    await until(() => app.connections === 2);
    // It knows what the page can do, which the page does not report again, and continues with the next number.
    expect(await act(b)).toMatchObject({ success: true });
    expect(await act(c)).toMatchObject({ success: true });
    const sessions = await (await c.api("/v1/sessions")).text();
    expect(sessions).toContain('"hubName":"b-');
    const newest = await eventsOf(b, before);
    expect(newest.events[0]).toMatchObject({ sequence: before + 1 });
    expect(asked()).toBe(0);
    // Two that want more wait for it, on this hub and on another one; it is read once.
    const readers = [b, c].map((hub) => hub.agent("shop", { query: { since: "0" } }));
    const requested = eventsOf(c, 0);
    await until(() => asked() === 1);
    open();
    const all = Array.from({ length: newest.sequence }, (_, i) => i + 1);
    expect((await requested).events.map(({ sequence }) => sequence)).toEqual(all);
    for (const reader of await Promise.all(readers)) {
      const numbers = (): unknown[] =>
        reader.received.map(({ sequence }) => sequence).filter((sequence) => sequence !== undefined);
      await until(() => numbers().length >= all.length);
      expect(numbers().slice(0, all.length)).toEqual(all);
    }
    expect(asked()).toBe(1);
    app.end();
  });

  test("a session whose page stays away is described by what its lost hub had stored", async () => {
    const connect = makeBus();
    const a = await testHub({ bus: await connect("a") });
    const b = await testHub({ bus: await connect("b") });
    const app = await a.app("shop");
    app.send({
      type: "hello",
      url: "http://localhost/",
      userAgent: "test",
      protocolVersion: 1,
      title: "Shop",
    });
    for (let i = 1; i <= 5; i++) {
      await until(async () => (await eventsOf(b, 0)).sequence === i);
      app.send({ type: "console", level: "log", args: [`line ${i}`] });
    }
    await a.close();
    const agent = await b.agent("shop");
    expect(await agent.next("hello")).toMatchObject({ title: "Shop" });
  });

  test("a command for a session whose hub was lost waits until its page is back", async () => {
    const connect = makeBus();
    const a = await testHub({ bus: await connect("a") });
    const b = await testHub({ bus: await connect("b") });
    const page = { url: "http://localhost/", userAgent: "test", protocolVersion: 1, instanceId: "page-1" };
    (await a.app("shop")).send({ type: "hello", ...page });
    await until(async () => (await eventsOf(b, 0)).sequence === 1);
    await a.close();
    const answered = act(b);
    const sessions = async (): Promise<string> => (await b.api("/v1/sessions")).text();
    await until(async () => (await sessions()).includes('"hubName":"b-'));
    const app = new ResumingApp([b.url], "shop", "page-1");
    expect(await answered).toMatchObject({ success: true });
    expect(app.commands).toHaveLength(1);
    app.end();
  });
});
