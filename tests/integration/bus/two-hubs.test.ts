import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { hubsOn, TestBuses } from "../../support/bus/bus.js";
import { answer, hello, type TestHub, testHub } from "../../support/hub/hub.js";

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

interface Listed {
  readonly id: string;
  readonly hubName: string;
  readonly connected: boolean;
  readonly apps: number;
}

async function list(hub: TestHub): Promise<Listed[]> {
  return ((await (await hub.api("/v1/sessions")).json()) as { sessions: Listed[] }).sessions;
}

async function json(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}

function post(hub: TestHub, session: string, command: object, client = "tester"): Promise<Response> {
  return hub.api(`/v1/sessions/${session}/commands`, {
    method: "POST",
    body: JSON.stringify(command),
    headers: { "x-debug-bridge-client": client },
  });
}

describe.each(buses.kinds)("two hubs, bus: %s", (_name, makeBus) => {
  async function twoHubs(): Promise<[TestHub, TestHub]> {
    const [a, b] = await hubsOn(makeBus(), ["a", "b"]);
    return [a as TestHub, b as TestHub];
  }

  test("every hub lists the sessions of all, with the name of the hub that has each", async () => {
    const [a, b] = await twoHubs();
    (await a.app("shop")).send(hello);
    (await b.app("admin")).send(hello);
    for (const hub of [a, b]) {
      const found = await until(async () => {
        const sessions = await list(hub);
        return sessions.length === 2 && sessions.every(({ connected }) => connected) && sessions;
      });
      const byId = Object.fromEntries(found.map(({ id, hubName }) => [id, hubName]));
      expect(byId).toEqual({ shop: a.name, admin: b.name });
    }
  });

  test("an agent on one hub sees and uses an app on the other [ARC-106]", async () => {
    const [a, b] = await twoHubs();
    const app = await a.app("shop");
    app.send(hello);
    answer(app, () => ({ result: "clicked" }));
    const agent = await b.agent("shop");
    await agent.next("session_status", ({ status }) => status === "connected");
    expect(await agent.command({ type: "click", target: { text: "Save" } })).toMatchObject({
      success: true,
      result: "clicked",
    });
    app.send({ type: "console", level: "log", args: ["from the app"] });
    await agent.next("console");
    await until(() => a.audit().includes('"what":"click"'));
    expect(b.audit()).not.toContain('"what":"click"');
  });

  test("a command whose last packet between the hubs is lost ends with outcome_unknown", async () => {
    const connect = makeBus();
    let isLossy = false;
    const [a, b] = (await hubsOn(
      async (name) => {
        const bus = await connect(name);
        const listen = bus.listen.bind(bus);
        bus.listen = (handlers) =>
          listen({
            ...handlers,
            onChannel(head, channel, from) {
              handlers.onChannel(head, channel, from);
              const receive = channel.receive.bind(channel);
              channel.receive = (packet) => {
                if (!isLossy) receive(packet);
                isLossy = false;
              };
            },
          });
        return bus;
      },
      ["a", "b"],
    )) as [TestHub, TestHub];
    const app = await a.app("shop");
    app.send(hello);
    answer(app);
    await until(async () => (await list(b)).some(({ connected }) => connected));
    const click = { type: "click", target: { text: "Save" } };
    expect((await json(await post(b, "shop", click))).success).toBe(true);
    isLossy = true;
    expect((await json(await post(b, "shop", click))).error).toMatchObject({ code: "outcome_unknown" });
    expect((await json(await post(b, "shop", click))).success).toBe(true);
  });

  test("an app that connects to another hub than its agent joins the session that is there", async () => {
    const [a, b] = await twoHubs();
    const agent = await b.agent("later");
    await agent.next("session_status");
    const app = await a.app("later");
    app.send(hello);
    answer(app);
    await agent.next("session_status", ({ status }) => status === "connected");
    expect(await agent.command({ type: "click", target: { text: "Save" } })).toMatchObject({ success: true });
    expect((await list(a)).map(({ id, hubName }) => [id, hubName])).toEqual([["later", b.name]]);
    app.close();
    await agent.next("session_status", ({ status }) => status === "disconnected");
  });

  test("an agent inside the process of one hub uses an app on the other", async () => {
    const [a, b] = await twoHubs();
    const app = await a.app("shop");
    app.send(hello);
    answer(app, () => ({ result: "done" }));
    await until(async () => (await list(b)).some(({ connected }) => connected));
    const options = {
      name: "mcp",
      records: false,
      deltas: false,
      quiet: true,
      sessions: false,
      since: undefined,
    };
    const agent = b.joinAsAgent({ sessionId: "shop", ...options });
    const received: string[] = [];
    agent.onMessage = (text) => received.push(text);
    const click = { type: "click", target: { text: "Save" }, requestId: "r1" };
    agent.send(JSON.stringify({ ...click, sessionId: "shop", timestamp: 1, origin: "agent" }));
    await until(() => received.some((text) => text.includes('"result":"done"')));
    agent.close();
    expect((await list(b)).map(({ hubName }) => hubName)).toEqual([a.name]);
  });

  test("a lease that one client holds keeps clients of every hub from acting", async () => {
    const [a, b] = await twoHubs();
    const app = await a.app("shop");
    app.send(hello);
    answer(app);
    const [local, remote] = [await a.agent("shop"), await b.agent("shop")];
    expect(await remote.command({ type: "acquire_lease" })).toMatchObject({ success: true });
    const refused = await local.command({ type: "click", target: { text: "Save" } });
    expect(refused).toMatchObject({ success: false, error: "lease_held" });
    expect(await remote.command({ type: "click", target: { text: "Save" } })).toMatchObject({
      success: true,
    });
    expect((await json(await post(b, "shop", { type: "click", target: { text: "x" } }))).error).toBe(
      "lease_held",
    );
    remote.close();
    await until(
      async () => (await local.command({ type: "click", target: { text: "Save" } })).success === true,
    );
  });

  test("the HTTP API answers for sessions of the other hub: commands, events, timeline, one session", async () => {
    const [a, b] = await twoHubs();
    const app = await a.app("shop");
    app.send(hello);
    answer(app, () => ({ result: "x".repeat(3_000_000) }));
    await until(async () => (await list(b)).some(({ connected }) => connected));
    const result = await json(await post(b, "shop", { type: "request_ui_tree" }));
    expect((result.result as string).length).toBe(3_000_000);
    const { events } = (await json(await b.api("/v1/sessions/shop/events"))) as {
      events: { type: string }[];
    };
    expect(events.map(({ type }) => type)).toEqual(["hello", "command", "command_result"]);
    expect((await json(await b.api("/v1/sessions/shop/timeline"))).records).toBe(3);
    expect((await json(await b.api("/v1/sessions/shop"))).id).toBe("shop");
    expect((await b.api("/v1/sessions/shop/events?since=x")).status).toBe(400);
    expect((await b.api("/v1/sessions/nobody")).status).toBe(404);
    const { text } = await post(b, "shop", { type: "nonsense" }).then(async (r) => ({
      text: await r.text(),
    }));
    expect(text).toContain("unknown_type");
  });

  test("streams of one session and of all sessions carry records of the other hub", async () => {
    const [a, b] = await twoHubs();
    const app = await a.app("shop");
    app.send(hello);
    await until(async () => (await list(b)).some(({ connected }) => connected));
    const read = async (path: string): Promise<{ text: () => string; stop: () => void }> => {
      const ended = new AbortController();
      const response = await b.api(path, { signal: ended.signal });
      let text = "";
      void (async () => {
        for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
          text += Buffer.from(part).toString();
      })().catch(() => {});
      return { text: () => text, stop: () => ended.abort() };
    };
    const [one, all, typed] = await Promise.all([
      read("/v1/sessions/shop/stream?since=0"),
      read("/v1/stream"),
      read("/v1/stream?types=console&since=0"),
    ]);
    await until(() => typed.text().includes("caught_up"));
    app.send({ type: "console", level: "log", args: ["streamed"] });
    for (const { text } of [one, all, typed]) await until(() => text().includes("streamed"));
    expect(typed.text().match(/caught_up/g)).toHaveLength(1);
    for (const { stop } of [one, all, typed]) stop();
    expect((await b.api("/v1/sessions")).status).toBe(200);
  });

  test("an agent that watches the list is notified of sessions on the other hub", async () => {
    const [a, b] = await twoHubs();
    const agent = await b.agent("mine", { query: { sessions: "1" } });
    await agent.next("sessions_changed");
    const before = agent.received.filter(({ type }) => type === "sessions_changed").length;
    (await a.app("other")).send(hello);
    await until(() => agent.received.filter(({ type }) => type === "sessions_changed").length > before);
  });

  test("a page of another origin cannot join a session through another hub", async () => {
    const [a, b] = await twoHubs();
    (await a.app("shop", { origin: "http://localhost:3000" })).send(hello);
    await until(async () => (await list(b)).some(({ connected }) => connected));
    const thief = await b.app("shop", { origin: "http://localhost:6666" });
    expect(await thief.next("bridge_error")).toMatchObject({ code: "forbidden_origin" });
    expect((await thief.closed).code).toBe(1008);
    const reserved = await b.app("tab-1");
    expect(await reserved.next("bridge_error")).toMatchObject({ code: "forbidden_origin" });
  });

  test("clients of a hub with --read-only cannot act on sessions of other hubs", async () => {
    const connect = makeBus();
    const [a] = (await hubsOn(connect, ["a"])) as [TestHub];
    const b = await testHub({ readOnly: true, bus: await connect("b") });
    const app = await a.app("shop");
    app.send(hello);
    answer(app);
    const agent = await b.agent("shop");
    await agent.next("session_status");
    const click = { type: "click", target: { text: "Save" } };
    expect(await agent.command(click)).toMatchObject({ success: false, error: "read_only" });
    expect((await json(await post(b, "shop", click))).error).toBe("read_only");
    const nameless = await b.api("/v1/sessions/shop/commands", {
      method: "POST",
      body: JSON.stringify(click),
    });
    expect((await json(nameless)).error).toBe("read_only");
    expect(await agent.command({ type: "request_ui_tree" })).toMatchObject({ success: true });
    expect(await (await a.agent("shop")).command(click)).toMatchObject({ success: true });
  });

  test("sessions that providers of two hubs give the same id can both be used", async () => {
    const [a, b] = await twoHubs();
    const providers = [a, b].map((hub) => {
      const app = hub.joinAsApp("tab-7", { kind: "tab" });
      app.onMessage = (text) => {
        const { type, requestId, origin } = JSON.parse(text) as Record<string, unknown>;
        if (origin !== "agent") return;
        const result = {
          type: "command_result",
          requestType: type,
          requestId,
          success: true,
          result: hub.name,
        };
        app.send(JSON.stringify({ sessionId: "tab-7", origin: "app", timestamp: 1, ...result }));
      };
      app.send(JSON.stringify({ ...hello, sessionId: "tab-7", origin: "app", timestamp: 1, kind: "tab" }));
      return app;
    });
    await until(async () => (await list(b)).some(({ id }) => id === `tab-7@${a.name}`));
    const own = await json(await post(b, "tab-7", { type: "request_ui_tree" }));
    const other = await json(await post(b, `tab-7@${a.name}`, { type: "request_ui_tree" }));
    expect([own.result, other.result]).toEqual([b.name, a.name]);
    for (const provider of providers) provider.close();
  });
});

test("a hub on a bus does not start without asking agents for the token", async () => {
  const [, makeBus] = buses.kinds[0] as [string, () => (name: string) => Promise<never>];
  const bus = await makeBus()("a");
  await expect(testHub({ auth: "none", bus })).rejects.toThrow(/--auth none works without --bus only/);
});
