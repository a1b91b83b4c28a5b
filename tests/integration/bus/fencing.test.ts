import type { Bus } from "@debug-bridge/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { TestBuses } from "../../support/bus/bus.js";
import { type TestHub, testHub } from "../../support/hub/hub.js";

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

/** A bus on which this hub and the others receive nothing from each other once it is cut, though it still stores what it is given. */
function cuttable(bus: Bus): { readonly bus: Bus; cut(): void } {
  let isCut = false;
  const unlessCut =
    <Parameters extends unknown[]>(run: (...given: Parameters) => void) =>
    (...given: Parameters): void => {
      if (!isCut) run(...given);
    };
  const hubs: Bus["hubs"] = Object.create(bus.hubs, {
    put: { value: (key: string, value: string) => (isCut ? Promise.resolve(1) : bus.hubs.put(key, value)) },
    watch: { value: (onChange: never) => bus.hubs.watch(unlessCut(onChange)) },
  });
  const sessions: Bus["sessions"] = Object.create(bus.sessions, {
    watch: { value: (onChange: never) => bus.sessions.watch(unlessCut(onChange)) },
  });
  const changed: Partial<Bus> = {
    ...{ hubs, sessions },
    notify: unlessCut((text: string) => bus.notify(text)),
    listen: (handlers) => bus.listen({ ...handlers, onNotice: unlessCut(handlers.onNotice) }),
  };
  const proxy = new Proxy(bus, {
    get(target, name) {
      const value = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    bus: proxy,
    cut() {
      isCut = true;
    },
  };
}

const eventsOf = async (hub: TestHub): Promise<string> => (await hub.api("/v1/sessions/shop/events")).text();

/** What the client of a hub is answered. */
async function act(hub: TestHub, text: string): Promise<{ success?: boolean; error?: unknown }> {
  const body = JSON.stringify({ type: "click", target: { text } });
  const headers = { "content-type": "application/json" };
  const response = await hub.api("/v1/sessions/shop/commands", { method: "POST", headers, body });
  return (await response.json()) as { success?: boolean; error?: unknown };
}

describe.each(buses.kinds)("bus: %s", (_name, makeBus) => {
  test("a hub that only seems lost acknowledges nothing of a session that another hub has taken over [ARC-107]", async () => {
    const connect = makeBus();
    const { bus, cut } = cuttable(await connect("a"));
    const a = await testHub({ bus });
    const b = await testHub({ bus: await connect("b") });
    const app = await a.app("shop");
    app.send({ type: "hello", url: "http://localhost/", userAgent: "test", protocolVersion: 1 });
    app.socket.on("message", (data) => {
      const { origin, type, requestId } = JSON.parse(String(data)) as Record<string, string>;
      if (origin === "agent")
        app.send({ type: "command_result", requestType: type, requestId, success: true });
    });
    expect(await until(async () => (await act(a, "before")).success)).toBe(true);
    await until(async () => (await eventsOf(b)).includes("before"));
    cut();
    // One that the other hub still knows nothing of.
    expect(await act(a, "meanwhile")).toMatchObject({ success: true });
    await until(async () => {
      // A session is taken over when somebody asks for it.
      const events = await eventsOf(b);
      const sessions = await (await b.api("/v1/sessions")).text();
      return sessions.includes('"hubName":"b-') && events.includes("meanwhile");
    }, 30_000);
    const late = await act(a, "late");
    expect(late.success).not.toBe(true);
    expect(JSON.stringify(late)).toContain("outcome_unknown");
    expect((await app.closed).reason).toContain("the session is on");
    const events = await eventsOf(b);
    expect(events).toContain("before");
    expect(events).not.toContain("late");
  });
});
