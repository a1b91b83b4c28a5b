import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { RecordDetails, TimelineBuckets, TimelinePage } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { readEvents } from "../../support/hub/event-reader.js";
import { answer, hello, type TestHub, testHub } from "../../support/hub/hub.js";
import type { WireClient } from "../../support/hub/wire-client.js";

const log = (text: string, level = "log") => ({ type: "console", level, args: [text] });
const response = { type: "network", id: "r1", api: "fetch", method: "POST", url: "http://localhost/orders" };

/** A session in which a click caused a failed request and an error. */
async function shop(hub: TestHub): Promise<WireClient> {
  const app = await hub.app("shop");
  app.send(hello);
  app.send(log("ready"));
  answer(app, ({ type }) => {
    if (type !== "click") return {};
    app.send({ ...response, phase: "request" });
    app.send({ ...response, phase: "response", status: 500, durationMs: 12 });
    app.send({
      type: "error",
      message: "x is undefined",
      stack: "TypeError: x\n at buy (http://localhost/a.js:1:2)",
    });
    return { receipt: { settled: true, durationMs: 5 } };
  });
  const agent = await hub.agent("shop");
  await agent.command({ type: "click", target: { text: "Buy" } });
  app.send(log("slow", "warn"));
  await until(async () => (await page(hub, "sessions/shop", "text=slow")).total === 1);
  return app;
}

const get = async <Answer>(hub: TestHub, path: string): Promise<Answer> =>
  (await (await hub.api(`/v1/${path}`)).json()) as Answer;
const page = (hub: TestHub, of: string, query = ""): Promise<TimelinePage> =>
  get(hub, `${of}/timeline?${query}`);
const types = ({ rows }: TimelinePage): string[] =>
  rows.map(({ type, isEffect }) => (isEffect ? `  ${type}` : type));

describe("the timeline in pages", () => {
  it("lists what a command caused below it, counted, and folds it", async () => {
    const hub = await testHub();
    await shop(hub);
    const all = await page(hub, "sessions/shop", "kinds=action,error,network,console,page");
    const effects = ["  network", "  error", "  command_result"];
    expect(types(all)).toEqual(["hello", "console", "command", ...effects, "console"]);
    expect(all.rows[2]).toMatchObject({
      kind: "action",
      text: expect.stringContaining('click "Buy"'),
      effects: { all: 4, requests: 1, errors: 2 },
    });
    const folded = await page(hub, "sessions/shop", "folded&kinds=action,error,network,console,page");
    expect(types(folded)).toEqual(["hello", "console", "command", "console"]);
    const { sequence } = folded.rows[2] as TimelinePage["rows"][number];
    const opened = await page(hub, "sessions/shop", `folded&except=${sequence}&level=action`);
    expect(types(opened)).toEqual(["command", ...effects, "console"]);
  });

  it("returns a whole record with what belongs to it and what caused it", async () => {
    const hub = await testHub();
    await shop(hub);
    const { rows } = await page(hub, "sessions/shop", "level=error&text=orders");
    const found = await get<RecordDetails>(hub, `sessions/shop/records/${rows[0]?.sequence}`);
    expect(found.record.data).toMatchObject({ status: 500, url: "http://localhost/orders" });
    expect(found.related.map(({ data }) => (data as { phase: string }).phase)).toEqual(["request"]);
    expect(found.why.map(({ text }) => text)).toEqual([expect.stringContaining('click "Buy"')]);
    const missing = await hub.api("/v1/sessions/shop/records/9999");
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain("record 9999 is not stored");
  });

  it("counts records in parts of time, and reports new ones together", async () => {
    const hub = await testHub();
    const app = await shop(hub);
    const { kinds, errors } = await get<TimelineBuckets>(hub, "sessions/shop/timeline/buckets?parts=3");
    const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0);
    expect([sum(kinds.console), sum(kinds.network), sum(errors)]).toEqual([2, 1, 2]);
    expect(errors).toHaveLength(3);
    const live = await readEvents<{ records: number }>({ call: hub.api }, "/v1/sessions/shop/timeline/live");
    for (let i = 0; i < 50; i++) app.send(log(`line ${i}`));
    await until(() => sum(live.events.map(({ records }) => records)) >= 50);
    expect(live.events.length).toBeLessThan(25);
  });

  it("reports which sessions have new records in one stream for all of them", async () => {
    const hub = await testHub();
    const changes = await readEvents<{ type: string; sessions?: string[] }>(
      { call: hub.api },
      "/v1/stream?only=changes",
    );
    const sessions = await readEvents<{ type: string }>({ call: hub.api }, "/v1/stream?only=sessions");
    const app = await shop(hub);
    await until(() => changes.events.some((event) => event.sessions?.includes("shop")));
    const before = changes.events.length;
    for (let i = 0; i < 50; i++) app.send(log(`line ${i}`));
    await until(() => changes.events.length > before);
    expect(changes.events.length - before).toBeLessThan(25);
    const types = (events: readonly { type: string }[]): string[] => [
      ...new Set(events.map(({ type }) => type)),
    ];
    expect(types(changes.events).sort()).toEqual(["added", "session"]);
    expect(types(sessions.events)).toEqual(["session"]);
  });

  it("reads recordings as it reads sessions, and says what cannot be asked", async () => {
    const hub = await testHub({ record: true });
    await shop(hub);
    const folder = join(hub.home, "debug/sessions");
    const [id = ""] = await until(() => readdirSync(folder).length > 0 && readdirSync(folder));
    await until(async () => (await page(hub, `recordings/${id}`, "text=slow")).total === 1);
    const live = await page(hub, "sessions/shop");
    const recorded = await page(hub, `recordings/${id}`);
    expect(recorded.rows).toEqual(live.rows);
    const { recordings } = await get<{ recordings: object[] }>(hub, "recordings");
    expect(recordings).toEqual([expect.objectContaining({ id, name: "shop", kind: "app", isRunning: true })]);
    for (const [path, message] of [
      ["recordings/..%2F..%2Ftoken/timeline", "cannot be read"],
      ["recordings/nothing/timeline", "cannot be read"],
      ["sessions/nobody/timeline", "does not exist"],
      ["sessions/shop/timeline?kinds=news", 'kinds names \\"news\\"'],
      ["sessions/shop/timeline?level=loud", "use debug, info"],
      ["sessions/shop/timeline?offset=-1", "whole number"],
      [`recordings/${id}/timeline/live`, "no new records"],
    ] as const) {
      const refused = await hub.api(`/v1/${path}`);
      expect(refused.status, path).toBeGreaterThanOrEqual(400);
      expect(await refused.text()).toContain(message);
    }
  });

  it("records one session from when it is asked to, with what is still known of it", async () => {
    const hub = await testHub();
    const app = await shop(hub);
    const change = async (method: string): Promise<unknown> =>
      (await hub.api("/v1/sessions/shop/recording", { method })).json();
    expect(await change("GET")).toEqual({ recording: false, canChange: true });
    expect(await change("POST")).toEqual({ recording: true, canChange: true });
    app.send(log("while it is recorded"));
    const id = await until(async () => {
      const { recordings } = await get<{ recordings: { id: string }[] }>(hub, "recordings");
      return recordings[0]?.id;
    });
    await until(async () => (await page(hub, `recordings/${id}`, "text=while it is recorded")).total === 1);
    expect((await page(hub, `recordings/${id}`)).first).toBe(1);
    expect(await change("DELETE")).toEqual({ recording: false, canChange: true });
    app.send(log("afterwards"));
    await until(async () => {
      const { recordings } = await get<{ recordings: { isRunning: boolean }[] }>(hub, "recordings");
      return recordings[0]?.isRunning === false;
    });
    await until(async () => (await page(hub, "sessions/shop", "text=afterwards")).total === 1);
    expect((await page(hub, `recordings/${id}`, "text=afterwards")).total).toBe(0);
    const always = await testHub({ record: true });
    await shop(always);
    const refused = await always.api("/v1/sessions/shop/recording", { method: "DELETE" });
    expect(await refused.text()).toContain("started with --record");
  });

  it("needs the token for recordings even where sessions do not", async () => {
    const hub = await testHub({ auth: "none" });
    expect((await fetch(`${hub.url}/v1/sessions`)).status).toBe(200);
    expect((await fetch(`${hub.url}/v1/recordings`)).status).toBe(401);
    expect((await fetch(`${hub.url}/v1/recordings/x/timeline`)).status).toBe(401);
    expect((await fetch(`${hub.url}/v1/sessions/x/recording`, { method: "POST" })).status).toBe(401);
  });

  it("starts again from the window when too much of what it listed is gone", async () => {
    const hub = await testHub();
    const app = await hub.app("busy");
    app.send(hello);
    const before = await until(async () => {
      const first = await page(hub, "sessions/busy");
      return first.records > 0 && first;
    });
    for (let i = 0; i < 11_000; i++) app.send(log(`line ${i}`));
    await until(async () => (await page(hub, "sessions/busy")).last > 11_000, 60_000);
    const after = await page(hub, "sessions/busy");
    expect(after.generation).toBeGreaterThan(before.generation);
    // The window, and at most as many that have left it since.
    expect(after.records).toBeLessThanOrEqual(10_000);
    expect(after.rows.at(-1)?.text).toBe("line 10999");
  });
});
