import { connectBus } from "@debug-bridge/server";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../../fixtures.js";
import { TestBuses } from "../../support/bus/bus.js";
import { type TestHub, testHub } from "../../support/hub/hub.js";
import { ResumingApp } from "../../support/hub/resuming-app.js";

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

const LINES = 40;
/** None of these is exceeded. */
const WIDE = { bytes: 100_000_000, ageMs: 3_600_000, batchesPerSession: 2_000 };
const AGE_MS = 1_500;

interface Events {
  readonly events: { readonly type: string; readonly sequence: number }[];
  readonly sequence: number;
}

const eventsOf = async (hub: TestHub, since: number): Promise<Events> =>
  (await (await hub.api(`/v1/sessions/shop/events?since=${since}`)).json()) as Events;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lines that are stored in separate texts. */
async function write(app: ResumingApp, name: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    app.send({ type: "console", level: "log", args: [`${name} ${i} ${"x".repeat(1_000)}`] });
    await pause(25);
  }
}

test.each([
  { what: "bytes", limits: { bytes: 20_000 }, waitMs: 0 },
  { what: "age", limits: { ageMs: AGE_MS }, waitMs: 2 * AGE_MS },
  { what: "texts of a session", limits: { batchesPerSession: 6 }, waitMs: 0 },
])(
  "beyond the limit of $what the oldest records go, readers get a gap, and the session continues [ARC-113]",
  async ({ limits, waitMs }) => {
    const url = buses.address();
    const connect = (name: string) => connectBus({ url, name, logLimits: { ...WIDE, ...limits } });
    const [a, b] = [await testHub({ bus: await connect("a") }), await testHub({ bus: await connect("b") })];
    const app = new ResumingApp([a.url, b.url], "shop", "page-1");
    onTestFinished(() => app.end());
    await until(() => app.connections === 1);
    await write(app, "early", LINES);
    await pause(waitMs);
    await write(app, "late", 3);
    await until(async () => (await eventsOf(b, 0)).sequence === LINES + 4);
    // The hub that has the session still has all of it.
    expect((await eventsOf(b, 0)).events[0]).toMatchObject({ sequence: 1 });
    await a.close();
    await until(() => app.connections === 2);
    app.send({ type: "console", level: "log", args: ["after the takeover"] });
    const reader = await b.agent("shop", { query: { since: "0" } });
    await until(() => JSON.stringify(reader.received).includes("after the takeover"));
    const numbers = reader.received
      .filter(({ type }) => type !== "gap")
      .map(({ sequence }) => sequence as number)
      .filter((sequence) => sequence !== undefined);
    const [first = 0] = numbers;
    expect(first).toBeGreaterThan(1);
    expect(numbers).toEqual(numbers.map((_, i) => first + i));
    const gap = reader.received.find(({ type }) => type === "gap");
    expect(gap).toMatchObject({ data: { dropped: first - 1, from: 1, to: first - 1 } });
    expect(JSON.stringify(reader.received)).toContain("late 2");
    // And who asks over HTTP sees the same.
    const asked = (await eventsOf(b, 0)).events;
    expect(asked.find(({ type }) => type !== "gap")).toMatchObject({ sequence: first });
    expect(asked[0]).toMatchObject({ type: "gap" });
  },
);
