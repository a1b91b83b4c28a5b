import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { debugPaths, readCurrent } from "@debug-bridge/journal";
import { describe, expect, it } from "vitest";
import { CLI, start, startUp, temporaryFolder, until } from "../../fixtures.js";
import { busyTurns, cli, eventsOf, startAgent } from "../../support/agents/agents.js";
import { hello, testHub } from "../../support/hub/hub.js";
import { listed, timeline } from "../../support/hub/hub-sessions.js";

describe("breakpoints on events of an app", () => {
  let requests = 0;
  const request = (method: string, url: string): Record<string, unknown> => ({
    type: "network",
    id: `n${++requests}`,
    phase: "request",
    api: "fetch",
    method,
    url,
  });

  it("stop the agent when the app logs an error, on a hub that does not record", async () => {
    const hub = await testHub();
    const agent = await startAgent(hub.home, busyTurns(10_000));
    const added = await cli(
      hub.home,
      "agent",
      "breakpoint",
      "add",
      "event",
      "console",
      "--event-session",
      "shop",
      "--condition",
      'data.level == "error"',
    );
    expect(added.code).toBe(0);
    // The app may come later than the breakpoint.
    const app = await hub.app("shop");
    app.send({ ...hello });
    app.send({ type: "console", level: "log", args: ["fine"] });
    app.send({ type: "console", level: "error", args: ["card declined"] });
    const { data } = await agent.seen("breakpoint_hit");
    expect(data).toMatchObject({ event: "console", session: "shop", data: { args: ["card declined"] } });
    await agent.seen("paused");
    expect(agent.count("breakpoint_hit")).toBe(1);
  });

  it("stop it when any session sends POST /orders, and no longer once cleared", async () => {
    const hub = await testHub();
    const agent = await startAgent(hub.home, busyTurns(10_000));
    const [shop, bank] = [await hub.app("shop"), await hub.app("bank")];
    for (const app of [shop, bank]) app.send({ ...hello });
    await cli(
      hub.home,
      "agent",
      "breakpoint",
      "add",
      "event",
      "network",
      "--regex",
      "/orders",
      "--condition",
      'data.method == "POST"',
    );
    shop.send(request("GET", "http://localhost:3000/orders"));
    shop.send(request("POST", "http://localhost:3000/carts"));
    bank.send(request("POST", "http://localhost:3000/orders"));
    expect((await agent.seen("breakpoint_hit")).data).toMatchObject({
      session: "bank",
      data: { method: "POST" },
    });
    await agent.seen("paused");
    await cli(hub.home, "agent", "resume");
    await cli(hub.home, "agent", "breakpoint", "clear-all");
    shop.send(request("POST", "http://localhost:3000/orders"));
    await until(
      async () => (await timeline(hub, "shop")).filter(({ type }) => type === "network").length === 3,
    );
    await cli(hub.home, "agent", "inspect");
    expect(agent.count("breakpoint_hit")).toBe(1);
  });

  it("stop one agent at what another one does, with a hub and without", async () => {
    const home = temporaryFolder();
    const [first, second] = [
      await startAgent(home, busyTurns(10_000)),
      await startAgent(home, busyTurns(10_000)),
    ];
    const stopFirst = (): ReturnType<typeof cli> =>
      cli(
        home,
        "agent",
        "breakpoint",
        "add",
        "event",
        "paused",
        "--event-session",
        second.id,
        "--once",
        "-s",
        first.id,
      );
    await stopFirst();
    await cli(home, "agent", "pause", "-s", second.id);
    await first.seen("paused", 1);
    await cli(home, "agent", "resume", "-s", first.id);
    await cli(home, "agent", "resume", "-s", second.id);
    const hub = await testHub({ home });
    await listed(hub, second.id);
    await stopFirst();
    await cli(home, "agent", "pause", "-s", second.id);
    await first.seen("paused", 2);
    expect(first.count("breakpoint_hit")).toBe(2);
  });

  it("report when no hub can send the events, and find a hub that comes back", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(100_000));
    const alone = await cli(
      home,
      "agent",
      "breakpoint",
      "add",
      "event",
      "console",
      "--event-session",
      "shop",
    );
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining("debug-bridge up")]);
    const first = await startUp([], home);
    expect(
      (await cli(home, "agent", "breakpoint", "add", "event", "console", "--event-session", "shop")).code,
    ).toBe(0);
    first.child.kill("SIGTERM");
    await first.finished;
    const hub = await testHub({ home });
    const app = await hub.app("shop");
    app.send({ ...hello });
    await until(async () => {
      app.send({ type: "console", level: "log", args: ["again"] });
      return agent.count("breakpoint_hit") > 0;
    });
  });

  it("wait for a hub that is started later", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(100_000));
    expect((await cli(home, "agent", "breakpoint", "add", "event", "console")).code).toBe(0);
    const hub = await testHub({ home });
    const app = await hub.app("shop");
    app.send({ ...hello });
    app.send({ type: "console", level: "log", args: ["hello"] });
    expect((await agent.seen("breakpoint_hit")).data).toMatchObject({ session: "shop" });
  });
});

describe("breakpoints on events, for an agent behind hooks", () => {
  const hookInput = (id: string): string =>
    JSON.stringify({
      session_id: "1",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: id,
      cwd: "/tmp",
    });

  it("do not delay it when the address of the hub is invalid", async () => {
    const home = temporaryFolder();
    const input = join(home, "input.json");
    writeFileSync(input, hookInput("t1"));
    const hook = (): ReturnType<typeof start>["finished"] => {
      const command = `exec "${process.execPath}" "${CLI}" hook --timeout 600 < "${input}"`;
      return start("sh", ["-c", command], { DEBUG_BRIDGE_HOME: home, DEBUG_BRIDGE_HUB: "localhost:4000" })
        .finished;
    };
    await hook();
    await cli(home, "agent", "breakpoint", "add", "event", "console");
    await cli(home, "agent", "breakpoint", "add", "tool", "Bash", "--deadline", "1ms");
    expect(await hook()).toMatchObject({ code: 0, stderr: "" });
    const folder = join(debugPaths(home).sessions, readCurrent(home) ?? "");
    expect(eventsOf(folder).some(({ type }) => type === "breakpoint_hit")).toBe(true);
  });

  it("stop it at its next tool, after the app logged an error", async () => {
    const hub = await testHub();
    const input = join(hub.home, "input.json");
    const hook = (id: string): ReturnType<typeof start> => {
      writeFileSync(input, hookInput(id));
      const command = `exec "${process.execPath}" "${CLI}" hook --timeout 600 < "${input}"`;
      return start("sh", ["-c", command], { DEBUG_BRIDGE_HOME: hub.home });
    };
    const app = await hub.app("shop");
    app.send({ ...hello });
    app.send({ type: "console", level: "error", args: ["before the breakpoint"] });
    expect((await hook("t1").finished).code).toBe(0);
    await cli(
      hub.home,
      "agent",
      "breakpoint",
      "add",
      "event",
      "console",
      "--event-session",
      "shop",
      "--regex",
      "declined",
    );
    expect((await hook("t2").finished).code).toBe(0);
    app.send({ type: "console", level: "error", args: ["card declined"] });
    await until(async () =>
      (await timeline(hub, "shop")).some(({ data }) => JSON.stringify(data).includes("declined")),
    );
    const held = hook("t3");
    const folder = join(debugPaths(hub.home).sessions, readCurrent(hub.home) ?? "");
    const hit = await until(() => eventsOf(folder).find(({ type }) => type === "breakpoint_hit"));
    expect(hit.data).toMatchObject({ event: "console", session: "shop", data: { args: ["card declined"] } });
    await until(() => eventsOf(folder).some(({ type }) => type === "paused"));
    expect(held.child.exitCode).toBeNull();
    await cli(hub.home, "agent", "resume");
    expect((await held.finished).code).toBe(0);
    expect((await hook("t4").finished).code).toBe(0);
    expect(eventsOf(folder).filter(({ type }) => type === "paused")).toHaveLength(1);
  });
});
