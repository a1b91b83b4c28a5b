import { DEFAULT_PORTS } from "@debug-bridge/server";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../fixtures.js";
import { answer, hello, testHub } from "../../support/hub/hub.js";

const line = (text: string) => ({ type: "console", level: "log", args: [text] });

describe("the app wire", () => {
  it("is at /debug of port 4000 unless another port is chosen, and nowhere else [APP-069, CON-001]", async () => {
    expect(DEFAULT_PORTS).toEqual({ hub: 4000, console: 9223, relay: 19222 });
    const hub = await testHub();
    await hub.app();
    const url = new URL("/elsewhere?role=app", hub.url.replace("http", "ws"));
    await expect(
      new Promise((resolve, reject) => new WebSocket(url).on("open", resolve).on("error", reject)),
    ).rejects.toThrow("404");
  });

  it("carries state of any JSON shape under a scope [APP-030]", async () => {
    const hub = await testHub();
    const [app, agent] = await Promise.all([hub.app(), hub.agent()]);
    for (const state of [null, 1, "x", [1, [2]], { deep: { er: [true, null] } }]) {
      app.send({ type: "state_update", scope: `scope-${JSON.stringify(state)}`, state });
      expect(
        (await agent.next("state_update", ({ scope }) => scope === `scope-${JSON.stringify(state)}`)).state,
      ).toEqual(state);
    }
    app.send({ type: "state_update", scope: "", state: 1 });
    expect(await app.next("bridge_error")).toMatchObject({ details: { field: "scope" } });
  });

  it("brings an app's messages to every agent of its session and to nobody else [APP-002, APP-070, APP-072]", async () => {
    const hub = await testHub();
    const [app, first, second, elsewhere] = await Promise.all([
      hub.app("a"),
      hub.agent("a"),
      hub.agent("a"),
      hub.agent("b"),
    ]);
    app.send(line("only for a"));
    const other = await hub.app("b");
    other.send(line("only for b"));
    await Promise.all([first.next("console"), second.next("console"), elsewhere.next("console")]);
    expect(first.received.filter(({ type }) => type === "console")).toMatchObject([{ args: ["only for a"] }]);
    expect(elsewhere.received.filter(({ type }) => type === "console")).toMatchObject([
      { args: ["only for b"] },
    ]);
    expect(app.received.filter(({ type }) => type === "console")).toEqual([]);
  });

  it("forwards exactly the bytes that it received [ARC-030]", async () => {
    const hub = await testHub();
    const [app, agent] = await Promise.all([hub.app(), hub.agent()]);
    const text = `{ "type":"console",  "level":"log","args":["\\u00e9 é 😀"], "sessionId":"s","timestamp":1.50,"origin":"app", "extra":[1, 2] }`;
    app.sendText(text);
    await agent.next("console");
    expect(agent.frames).toContain(text);
  });

  it("brings a command for all pages to every app of the session, to no other agent, and the result to the agent that asked [APP-071, APP-037…039]", async () => {
    const hub = await testHub();
    const [one, two, asker, bystander] = await Promise.all([hub.app(), hub.app(), hub.agent(), hub.agent()]);
    answer(one, () => ({ success: false, error: "target_not_found" }));
    answer(two);
    asker.send({ type: "click", target: { id: "start" }, requestId: "r1", instanceId: "all" });
    await until(() => asker.received.filter(({ type }) => type === "command_result").length === 2);
    expect(
      asker.received
        .filter(({ requestId }) => requestId === "r1")
        .map(({ success }) => success)
        .sort(),
    ).toEqual([false, true]);
    expect((await one.next("click")).target).toEqual({ id: "start" });
    expect(bystander.received.filter(({ type }) => type === "command_result" || type === "click")).toEqual(
      [],
    );
  });

  it("answers commands without a requestId too, as a peer of the first version sends them [ARC-012]", async () => {
    const hub = await testHub();
    const [app, agent] = await Promise.all([hub.app(), hub.agent()]);
    answer(app, ({ type }) => ({ result: `did ${String(type)}` }));
    agent.send({ type: "request_ui_tree" });
    agent.send({ type: "navigate", url: "/next" });
    expect(
      (await agent.next("command_result", ({ requestType }) => requestType === "request_ui_tree")).result,
    ).toBe("did request_ui_tree");
    expect((await agent.next("command_result", ({ requestType }) => requestType === "navigate")).result).toBe(
      "did navigate",
    );
  });

  it("sends a result to the right agent when the app does not send the id back", async () => {
    const hub = await testHub();
    const [app, agent, other] = await Promise.all([hub.app(), hub.agent(), hub.agent()]);
    answer(app, () => ({ requestId: undefined }));
    agent.send({ type: "click", target: { text: "Go" } });
    await agent.next("command_result");
    expect(other.received.some(({ type }) => type === "command_result")).toBe(false);
  });

  it("keeps two agents apart that use the same requestId", async () => {
    const hub = await testHub();
    const [app, one, two] = await Promise.all([hub.app(), hub.agent(), hub.agent()]);
    one.send({ type: "evaluate", code: "one", requestId: "same" });
    await app.next("evaluate");
    two.send({ type: "evaluate", code: "two", requestId: "same" });
    await app.next("evaluate", ({ code }) => code === "two");
    for (const { code, requestId } of app.received.filter(({ type }) => type === "evaluate")) {
      app.send({ type: "command_result", requestType: "evaluate", requestId, success: true, result: code });
    }
    expect(await one.next("command_result")).toMatchObject({ requestId: "same", result: "one" });
    expect(await two.next("command_result")).toMatchObject({ requestId: "same", result: "two" });
  });

  it("sends a command to the page that it names, else to the newest, over WebSocket and HTTP alike [APP-071]", async () => {
    const hub = await testHub();
    const one = await hub.app();
    const [two, agent] = [await hub.app(), await hub.agent()];
    for (const [app, instanceId] of [
      [one, "p1"],
      [two, "p2"],
    ] as const) {
      app.send({ ...hello, instanceId });
      await app.next("welcome");
      answer(app, () => ({ instanceId }));
    }
    const target = { id: "x" };
    expect(await agent.command({ type: "click", target, instanceId: "p1" })).toMatchObject({
      instanceId: "p1",
    });
    expect(await agent.command({ type: "hover", target, instanceId: "newest" })).toMatchObject({
      success: true,
    });
    expect(await agent.command({ type: "scroll", to: "top" })).toMatchObject({ instanceId: "p2" });
    expect(await agent.command({ type: "click", target, instanceId: "p9" })).toMatchObject({
      error: "app_not_connected",
      message: expect.stringContaining("p1, p2"),
    });
    const press = async (instanceId?: string): Promise<unknown> =>
      (
        await hub.api("/v1/sessions/s/commands", {
          method: "POST",
          body: JSON.stringify({ type: "press", key: "a", instanceId }),
        })
      ).json();
    const pressed = (): number[] =>
      [one, two].map((app) => app.received.filter(({ type }) => type === "press").length);
    expect(await press()).toMatchObject({ success: true, instanceId: "p2" });
    expect(pressed()).toEqual([0, 1]);
    expect(await press("p1")).toMatchObject({ success: true, instanceId: "p1" });
    expect(pressed()).toEqual([1, 1]);
    const acted = [one, two].map((app) => app.received.filter(({ origin }) => origin === "agent").length);
    expect(acted).toEqual([2, 3]);
    expect(one.received.filter(({ type }) => type === "click")).toHaveLength(1);
  });

  it("brings a late agent the tree of each page, with the changes of that page", async () => {
    const hub = await testHub();
    const [one, two] = await Promise.all([hub.app(), hub.app()]);
    for (const [app, instanceId] of [
      [one, "p1"],
      [two, "p2"],
    ] as const) {
      app.send({ ...hello, instanceId });
      await app.next("welcome");
      app.send({ type: "ui_tree", items: [], version: 1, instanceId });
    }
    one.send({
      type: "ui_tree_delta",
      since: 1,
      version: 2,
      added: [],
      changed: [],
      removed: [],
      instanceId: "p1",
    });
    await until(
      async () => ((await (await hub.api("/v1/sessions/s")).json()) as { sequence: number }).sequence === 5,
    );
    const late = await hub.agent();
    await late.next("session_status");
    const trees = late.received.filter(({ type }) => type.startsWith("ui_tree"));
    expect(trees.map(({ instanceId, version }) => `${String(instanceId)} ${String(version)}`).sort()).toEqual(
      ["p1 1", "p1 2", "p2 1"],
    );
  });

  it("lets an agent cancel its own command, and nobody else's", async () => {
    const hub = await testHub();
    const [app, owner, other] = await Promise.all([hub.app(), hub.agent(), hub.agent()]);
    owner.send({ type: "wait_for", text: "never", requestId: "w1" });
    await app.next("wait_for");
    other.send({ type: "cancel", requestId: "w1" });
    expect(await other.next("command_result")).toMatchObject({ value: { cancelled: false } });
    owner.send({ type: "cancel", requestId: "w1" });
    expect(await owner.next("command_result")).toMatchObject({
      requestType: "cancel",
      value: { cancelled: true },
    });
    expect(await app.next("cancel")).toMatchObject({ requestId: "w1" });
    const overHttp = await hub.api("/v1/sessions/s/commands", {
      method: "POST",
      body: JSON.stringify({ type: "cancel", requestId: "w1" }),
    });
    expect(await overHttp.json()).toMatchObject({ success: true, value: { cancelled: false } });
  });

  it("treats a connection without role as an app, and one without sessionId as part of the session default [APP-073]", async () => {
    const hub = await testHub();
    const app = await hub.app("default", { query: {} });
    const bare = await import("../../support/hub/wire-client.js").then(({ WireClient }) =>
      WireClient.connect(hub.url),
    );
    const agent = await hub.agent("default");
    bare.send(line("from the bare one"));
    app.send(line("from the named one"));
    await until(() => agent.received.filter(({ type }) => type === "console").length === 2);
  });

  it("forgets a client that closed [APP-075]", async () => {
    const hub = await testHub();
    const [app, agent, leaver] = await Promise.all([hub.app(), hub.agent(), hub.agent()]);
    app.send(hello);
    leaver.close();
    await leaver.closed;
    await until(async () => {
      const { sessions } = (await (await hub.api("/v1/sessions")).json()) as {
        sessions: { agents: number }[];
      };
      return sessions[0]?.agents === 1;
    });
    app.send(line("after"));
    await agent.next("console");
    expect(leaver.received.some(({ type }) => type === "console")).toBe(false);
  });

  it("informs agents when the app connects and disconnects", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    expect(await agent.next("session_status")).toMatchObject({ status: "disconnected" });
    const app = await hub.app();
    app.send(hello);
    await agent.next("session_status", ({ status }) => status === "connected");
    app.close();
    await until(() => agent.received.at(-1)?.status === "disconnected");
  });
});
