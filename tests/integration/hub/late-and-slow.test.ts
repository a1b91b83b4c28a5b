import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { answer, hello, testHub } from "../../support/hub/hub.js";

const tree = (version: number) => ({
  type: "ui_tree",
  version,
  items: [{ id: `b${version}`, selector: "b", role: "button" }],
});
const delta = (version: number) => ({
  type: "ui_tree_delta",
  since: version - 1,
  version,
  added: [],
  changed: [],
  removed: [],
});
const state = (scope: string, value: unknown) => ({ type: "state_update", scope, state: value });

describe("an agent that connects late", () => {
  it("gets hello, capabilities, the newest tree with what changed since, and the newest state of each scope [ARC-010, ARC-011]", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.send(hello);
    app.send({ type: "capabilities", capabilities: ["ui_tree"], protocolVersion: 1 });
    for (const message of [
      tree(1),
      state("cart", 1),
      tree(2),
      delta(3),
      state("cart", 2),
      state("route", "/"),
      { type: "console", level: "log", args: ["old"] },
    ]) {
      app.send(message);
    }
    const early = await hub.agent();
    await until(
      async () => ((await (await hub.api("/v1/sessions/s")).json()) as { sequence: number }).sequence === 9,
    );
    const late = await hub.agent();
    await late.next("session_status");
    expect(
      late.received.map(({ type, version, scope, state }) =>
        [type, version ?? scope, state].filter((v) => v !== undefined),
      ),
    ).toEqual([
      ["hello"],
      ["capabilities"],
      ["ui_tree", 2],
      ["ui_tree_delta", 3],
      ["state_update", "cart", 2],
      ["state_update", "route", "/"],
      ["session_status"],
    ]);
    expect(early.received.length).toBeGreaterThan(0);
  });

  it("gets nothing from a page that another has replaced", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.send({ ...hello, instanceId: "first" });
    app.send(tree(1));
    app.send(state("cart", 1));
    app.send({ ...hello, instanceId: "second" });
    app.send(tree(7));
    await until(
      async () => ((await (await hub.api("/v1/sessions/s")).json()) as { sequence: number }).sequence === 5,
    );
    const late = await hub.agent();
    await late.next("session_status");
    expect(late.received.map(({ type }) => type)).toEqual(["hello", "ui_tree", "session_status"]);
  });

  it("makes the hub request a tree when it has no valid one", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.send(hello);
    app.send({ type: "capabilities", capabilities: ["ui_tree"] });
    app.send({ type: "console", level: "log", args: ["ready"] });
    answer(app);
    await until(
      async () => ((await (await hub.api("/v1/sessions/s")).json()) as { sequence: number }).sequence === 3,
    );
    await hub.agent();
    await app.next("request_ui_tree");
  });
});

describe("an app that connects again", () => {
  it("learns which messages were received, and repeated ones are ignored", async () => {
    const hub = await testHub();
    const [first, agent] = await Promise.all([hub.app(), hub.agent()]);
    first.send({ ...hello, instanceId: "page-1" });
    expect(await first.next("welcome")).toMatchObject({
      instanceId: "page-1",
      lastSeq: 0,
      agents: 1,
      deltas: false,
    });
    for (const seq of [1, 2, 3]) first.send({ type: "console", level: "log", args: [`${seq}`], seq });
    await agent.next("console", ({ seq }) => seq === 3);
    first.socket.terminate();
    const second = await hub.app();
    second.send({ ...hello, instanceId: "page-1" });
    expect(await second.next("welcome")).toMatchObject({ lastSeq: 3 });
    for (const seq of [2, 3, 4]) second.send({ type: "console", level: "log", args: [`${seq}`], seq });
    await agent.next("console", ({ seq }) => seq === 4);
    expect(agent.received.filter(({ type }) => type === "console").map(({ seq }) => seq)).toEqual([
      1, 2, 3, 4,
    ]);
  });

  it("is remembered however many other pages connected meanwhile", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.send({ ...hello, instanceId: "page-0" });
    await app.next("welcome");
    app.send({ type: "console", level: "log", args: ["one"], seq: 1 });
    for (let i = 1; i <= 30; i++) {
      const other = await hub.app();
      other.send({ ...hello, instanceId: `page-${i}` });
      await other.next("welcome");
      other.close();
      await other.closed;
    }
    const again = await hub.app();
    again.send({ ...hello, instanceId: "page-0" });
    expect(await again.next("welcome")).toMatchObject({ lastSeq: 1 });
  });

  it("replaces its older connection, so that a command reaches the page once", async () => {
    const hub = await testHub();
    const [stale, agent] = await Promise.all([hub.app(), hub.agent()]);
    stale.send({ ...hello, instanceId: "page-1" });
    await stale.next("welcome");
    const fresh = await hub.app();
    fresh.send({ ...hello, instanceId: "page-1" });
    await fresh.next("welcome");
    answer(fresh);
    expect((await stale.closed).code).toBe(1000);
    expect(await agent.command({ type: "click", target: { id: "x" } })).toMatchObject({ success: true });
    expect(stale.received.some(({ type }) => type === "click")).toBe(false);
  });

  it("learns how many agents there are, and whether all understand deltas", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.send({ ...hello, instanceId: "page-1" });
    expect(await app.next("welcome")).toMatchObject({ agents: 0 });
    await hub.agent("s", { query: { deltas: "1" } });
    expect(await app.next("agents_changed")).toMatchObject({ agents: 1, deltas: true });
    await hub.agent("s");
    expect(await app.next("agents_changed", ({ agents }) => agents === 2)).toMatchObject({ deltas: false });
  });
});

describe("an agent that never reads", () => {
  it("loses telemetry, learns how much, and slows down neither the app nor other agents", async () => {
    const hub = await testHub();
    const [app, slow, quick] = await Promise.all([hub.app(), hub.agent(), hub.agent()]);
    slow.socket.pause();
    const html = "x".repeat(500_000);
    const total = 120;
    for (let i = 0; i < total; i++) app.send({ type: "dom_snapshot", html });
    app.send({ type: "console", level: "log", args: ["end"] });
    await quick.next("console");
    expect(quick.received.filter(({ type }) => type === "dom_snapshot")).toHaveLength(total);
    const before = process.memoryUsage().rss;
    slow.socket.resume();
    app.send({ type: "console", level: "log", args: ["poke"] });
    const gap = await until(() => {
      app.send({ type: "console", level: "log", args: ["poke"] });
      return slow.received.find(({ type }) => type === "gap");
    });
    const received = slow.received.filter(({ type }) => type === "dom_snapshot").length;
    expect(received).toBeLessThan(total);
    expect(Number(gap.dropped)).toBeGreaterThanOrEqual(total - received);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });
});
