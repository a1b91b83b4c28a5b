import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, runCli, type Started, start, startUp, temporaryFolder, until } from "../../fixtures.js";
import { rememberHome } from "../../support/chrome/pairing.js";
import { ConsoleClient, SOURCE } from "../../support/console/console-client.js";

interface Session {
  readonly client: ConsoleClient;
  readonly shown: Started;
  readonly hub: string;
  readonly home: string;
  /** Waits until the terminal shows a text, and returns all of it. */
  see(text: string): Promise<string>;
}

/** A hub, an extension's connection, and `debug-bridge console` on them. */
async function session(args: string[] = [], env: Record<string, string> = {}): Promise<Session> {
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  const client = await ConsoleClient.greeted(ready.console);
  const shown = start(process.execPath, [CLI, "console", "--hub", ready.hub, "--home", home, ...args], env);
  const see = async (text: string): Promise<string> => {
    await until(() => shown.output.stdout.includes(text));
    return shown.output.stdout;
  };
  // The command follows from when it connects: poke until it does.
  await until(async () => {
    client.log("poke", "debug");
    await new Promise((resolve) => setTimeout(resolve, 50));
    return shown.output.stdout.includes("poke") || args.length > 0;
  });
  return { client, shown, hub: ready.hub, home, see };
}

/** A script on this machine, and a map that says that it was written in `source`. Gives the address of the script. */
async function scriptWithMap(source: string): Promise<string> {
  const map = { version: 3, sources: [source], names: [], mappings: "AACA,SAAS" };
  const server = createServer((request, response) => {
    if (request.url === "/app.js") response.end("function a(){}\n//# sourceMappingURL=app.js.map");
    else if (request.url === "/app.js.map") response.end(JSON.stringify(map));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/app.js`;
}

const text = (value: string) => ({ type: "string", value });

/** A line waits for its map only for a moment, which a busy machine can exceed: logs there until the command has the map. */
async function untilMapped({ client, shown }: Session, url: string): Promise<void> {
  await until(async () => {
    const location = { url, line: 1, column: 1 };
    const source = { ...SOURCE, url };
    client.send("console_event", { method: "log", args: [text("is it mapped?")], location }, { source });
    await new Promise((resolve) => setTimeout(resolve, 50));
    return /:2:1\b/.test(shown.output.stdout);
  });
}

describe("debug-bridge console", () => {
  it("prints lines as they happen, plain when piped [ARC-093, CON-011…015]", async () => {
    const { client, see } = await session();
    for (const method of ["log", "info", "warn", "error", "debug"]) client.log(`a ${method}`, method);
    const output = await see("a debug");
    for (const method of ["log", "info", "warn", "error", "debug"]) expect(output).toContain(`a ${method}`);
    expect(output).toMatch(/\d\d:\d\d:\d\d\.\d{3} ✖ a error\n/);
    expect(output).toMatch(/▲ a warn\n/);
    expect(output).not.toContain("\u001b");
  });

  it("colours lines by level when colours are wanted", async () => {
    const { client, see } = await session([], { FORCE_COLOR: "1", NO_COLOR: "" });
    client.log("in red", "error");
    expect(await see("in red")).toContain("\u001b[31min red\u001b[39m");
  });

  it("draws tables, indents groups, counts repeats and prints objects [CON-016…020, CON-022, CON-025…029]", async () => {
    const { client, see } = await session();
    const row = (name: string, price: number) => ({
      type: "object",
      value: { name: text(name), price: { type: "number", value: price } },
    });
    client.send("console_event", {
      method: "table",
      args: [{ type: "array", value: [row("tea", 4.5), row("honey", 7.9)] }],
    });
    client.send("console_event", { method: "group", args: [text("Order 4711")], groupDepth: 0 });
    client.send("console_event", { method: "log", args: [text("inside")], groupDepth: 1 });
    client.send("console_event", { method: "groupCollapsed", args: [text("Details")], groupDepth: 1 });
    client.send("console_event", { method: "log", args: [text("deeper")], groupDepth: 2 });
    client.send("console_event", { method: "groupEnd", args: [], groupDepth: 2 });
    client.send("console_event", { method: "groupEnd", args: [], groupDepth: 1 });
    client.log("outside");
    for (let i = 0; i < 4; i++) client.log("again and again");
    client.send("console_event", { method: "count", args: [text("clicks: 3")] });
    client.send("console_event", {
      method: "dir",
      args: [{ type: "object", className: "Map", value: { size: { type: "number", value: 2 } } }],
    });
    client.send("console_event", {
      method: "trace",
      args: [text("Trace: here")],
      stack: "Trace\n    at save (http://127.0.0.1:9/a.js:1:2)",
    });
    client.send("console_event", { method: "timeLog", args: [text("load: 3.5 ms"), text("half")] });
    client.send("console_event", { method: "timeEnd", args: [text("load: 12.5 ms")] });
    client.send("console_event", {
      method: "dirxml",
      args: [{ type: "dom", tagName: "BODY", value: '<body class="dark">' }],
    });
    client.send("console_event", { method: "assert", args: [text("Assertion failed"), text("no price")] });
    client.log("the end");
    const output = await see("the end");
    expect(output).toContain("│ (index) │ name    │ price │");
    expect(output).toContain('│ 1       │ "honey" │ 7.9   │');
    expect(output).toMatch(/Order 4711\n.*│ inside\n.*│ Details\n.*│ │ deeper\n.{15}outside\n/);
    expect(output.match(/again and again/g)).toHaveLength(1);
    expect(output).toContain("↻ 4 times");
    for (const part of [
      "clicks: 3",
      "Map {size: 2}",
      "Trace: here",
      "load: 3.5 ms half",
      "load: 12.5 ms",
      '<body class="dark">',
      "Assertion failed no price",
    ])
      expect(output).toContain(part);
  });

  it("prints no escape sequence of a page, whichever wire it came on [CON-078]", async () => {
    const { client, see, hub } = await session();
    client.log("\u001b]0;owned\u0007\u001b[2Jvia the extension");
    const { WireClient } = await import("../../support/hub/wire-client.js");
    const app = await WireClient.connect(hub, { role: "app", sessionId: "evil" });
    app.send({ type: "console", level: "log", args: ["\u001b[31m\u009b2Jvia the \u202eSDK"] });
    app.send({
      type: "error",
      message: "\u001b[31mboom",
      stack: "Error: \u001b[31mboom\n    at x (http://localhost/a.js:1:1)",
    });
    const output = await see("boom");
    expect(output).toContain("via the extension");
    expect(output).toContain("via the SDK");
    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it("shows which tab a line is from when there are several", async () => {
    const { client, see } = await session();
    client.log("from one");
    client.log("from another", "log", { source: { ...SOURCE, tabId: 9, title: "Other" } });
    expect(await see("from another")).toContain("[Other #9]");
  });

  it("maps the stacks of causes and of errors inside objects", async () => {
    const url = await scriptWithMap("src/basket.ts");
    const error = (name: string, cause?: unknown) => ({
      type: "error",
      value: name,
      stack: `${name}\n    at ${name} (${url}:1:10)`,
      ...(cause ? { cause } : {}),
    });
    const console = await session();
    const { client, see } = console;
    await untilMapped(console, url);
    client.send(
      "console_event",
      {
        method: "error",
        args: [
          error("outer", { type: "array", value: [error("one"), error("two", error("deepest"))] }),
          { type: "object", value: { reason: error("inside") } },
        ],
      },
      { source: { ...SOURCE, url } },
    );
    client.log("all printed");
    const output = await see("all printed");
    for (const name of ["outer", "one", "two", "deepest", "inside"])
      expect(output).toMatch(new RegExp(`at ${name} \\(http://127\\.0\\.0\\.1:\\d+/src/basket\\.ts:2:10`));
  });

  it("prints no escape sequence of a source map [CON-078]", async () => {
    const url = await scriptWithMap("webpack://\u001b[2Jowned\r.ts");
    const console = await session();
    const { client, see } = console;
    await untilMapped(console, url);
    client.send(
      "console_event",
      {
        method: "error",
        args: [{ type: "error", value: "E", stack: `E\n    at save (${url}:1:10)` }],
        location: { url, line: 1, column: 1 },
      },
      { source: { ...SOURCE, url } },
    );
    client.log("all printed");
    const output = await see("all printed");
    expect(output.split("✖").at(-1)).toMatch(/owned.*:2:1\b/);
    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it("maps locations and stacks to the sources, with source maps from the app's server", async () => {
    const url = await scriptWithMap("src/basket.ts");
    const console = await session();
    const { client, see } = console;
    await untilMapped(console, url);
    client.send(
      "console_event",
      {
        method: "error",
        args: [{ type: "error", value: "TypeError: no", stack: `TypeError: no\n    at save (${url}:1:10)` }],
        location: { url, line: 1, column: 1 },
      },
      { source: { ...SOURCE, url } },
    );
    client.send("console_event", {
      method: "log",
      args: [text("no map")],
      location: { url: "http://127.0.0.1:9/none.js", line: 3, column: 4 },
    });
    const output = (await see("no map")).split("✖").at(-1);
    expect(output).toContain("src/basket.ts:2:1");
    expect(output).toMatch(/at save \(http:\/\/127\.0\.0\.1:\d+\/src\/basket\.ts:2:10\)/);
    expect(output).toContain("none.js:3:4");
  });

  it.each([
    [
      ["--filter", "level:error,warn"],
      ["a warning", "an error"],
    ],
    [["--filter", "text:AN"], ["an error"]],
    [
      ["--filter", "/^a (log|warning)$/"],
      ["a log", "a warning"],
    ],
    [["--filter", "tab:9"], ["elsewhere"]],
    [["--filter", "url:/other"], ["elsewhere"]],
    [["--errors"], ["an error"]],
    [["--filter", "level:error,warn", "--filter", "text:warning"], ["a warning"]],
  ])("with %j shows %j of what happened since, and ends", async (args, expected) => {
    const home = temporaryFolder();
    const { ready } = await startUp([], home);
    const client = await ConsoleClient.greeted(ready.console);
    client.log("a log");
    client.log("a warning", "warn");
    client.log("an error", "error");
    client.log("elsewhere", "log", {
      source: { tabId: 9, url: "http://localhost:3000/other", title: "Other" },
    });
    client.send("ping", { id: "done" });
    await client.next("pong");
    const { code, stdout } = await runCli([
      "console",
      "--hub",
      ready.hub,
      "--home",
      home,
      "--since",
      "1h",
      "--json",
      ...args,
    ]);
    expect(code).toBe(0);
    const shown = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).data.text);
    expect(shown).toEqual(expected);
  });

  it("measures latency on request [CON-053, CON-074]", async () => {
    const { client, shown, see } = await session(["--latency"]);
    await until(() => {
      client.log("timed");
      return shown.output.stdout.includes("timed");
    });
    expect(await see("timed")).toMatch(/timed {2}\d+ ms\n/);
    shown.child.kill("SIGINT");
    const { code, stderr } = await shown.finished;
    expect(code).toBe(0);
    expect(stderr).toMatch(/\d+ lines, latency: median \d+ ms, 99th percentile \d+ ms/);
  });

  it("starts a hub when none is running, and stops it at the end", async () => {
    const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
    const home = temporaryFolder();
    const shown = start(process.execPath, [CLI, "console", ...ports, "--home", home]);
    const address = await until(() => /console wire (ws:\S+):/.exec(shown.output.stderr)?.[1]);
    rememberHome(home, address);
    const client = await ConsoleClient.greeted(address);
    await until(() => {
      client.log("hello from a tab");
      return shown.output.stdout.includes("hello from a tab");
    });
    shown.child.kill("SIGTERM");
    expect(await shown.finished).toMatchObject({ code: 0 });
    expect((await client.closed).code).toBe(1001);
  });

  it("starts a hub that serves agents and browser_action as any other", async () => {
    const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
    const home = temporaryFolder();
    const shown = start(process.execPath, [CLI, "console", ...ports, "--home", home]);
    const hub = await until(() => /hub (http:\S+),/.exec(shown.output.stderr)?.[1]);
    const authorization = `Bearer ${readFileSync(join(home, "token"), "utf8").trim()}`;
    const post = (path: string, body: object): Promise<Response> =>
      fetch(`${hub}${path}`, {
        method: "POST",
        headers: {
          authorization,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(body),
      });
    const listed = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    expect(listed.status).toBe(200);
    expect(await listed.text()).toContain('"observe"');
    const acted = await post("/v1/browser-action", { instruction: "<type>stop</type>" });
    expect(acted.status).toBe(200);
    expect(await acted.json()).toHaveProperty("success");
    shown.child.kill("SIGTERM");
    expect(await shown.finished).toMatchObject({ code: 0 });
  });

  it.each([
    ["--filter", "level:"],
    ["--filter", "/(/"],
    ["--since", "yesterday-ish"],
  ])("refuses %s %s with exit code 2 and shows the right syntax", async (...args) => {
    const { code, stderr } = await runCli(["console", ...args]);
    expect(code).toBe(2);
    expect(stderr.length).toBeGreaterThan(20);
  });

  it("logs what its own hub refuses, and broken connections, when it is verbose [CON-063]", async () => {
    const home = temporaryFolder();
    const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
    const shown = start(process.execPath, [CLI, "console", "--home", home, "--verbose", ...ports]);
    const [, wire = ""] = await until(() => /console wire (ws:\S+):/.exec(shown.output.stderr));
    rememberHome(home, wire);
    const client = await ConsoleClient.greeted(wire);
    client.socket.send("{ nonsense");
    await client.next("error");
    client.socket.terminate();
    await until(() => /refused console connection: .* was lost/.test(shown.output.stderr));
    expect(shown.output.stderr).toContain("refused console message: invalid_message");
  });

  it("continues with the hub that replaces the one it was connected to", async () => {
    const home = temporaryFolder();
    const up = await startUp([], home);
    const client = await ConsoleClient.greeted(up.ready.console);
    const shown = start(process.execPath, [CLI, "console", "--home", home]);
    await until(() => {
      client.log("before");
      return shown.output.stdout.includes("before");
    });
    up.child.kill("SIGKILL");
    await until(() =>
      shown.output.stderr.includes(`the hub at ${up.ready.hub} was lost; waiting until it is back`),
    );
    const again = await startUp([], home);
    await until(() => shown.output.stderr.includes(`connected to the hub at ${again.ready.hub}`));
    const other = await ConsoleClient.greeted(again.ready.console);
    await until(() => {
      other.log("after");
      return shown.output.stdout.includes("after");
    });
    expect(again.ready.hub).not.toBe(up.ready.hub);
    shown.child.kill("SIGINT");
    expect((await shown.finished).code).toBe(0);
  });

  it("exits without an error when its reader goes away", async () => {
    const home = temporaryFolder();
    const { ready } = await startUp([], home);
    const client = await ConsoleClient.greeted(ready.console);
    for (let i = 0; i < 500; i++) client.log(`line ${i} ${"x".repeat(500)}`);
    client.send("ping", { id: "done" });
    await client.next("pong");
    const script = join(temporaryFolder(), "pipe.sh");
    writeFileSync(
      script,
      `"${process.execPath}" "${CLI}" console --hub ${ready.hub} --home "${home}" --since 1h | head -n 1\n`,
    );
    const { code, stderr, stdout } = await start("sh", [script]).finished;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trim().split("\n")).toHaveLength(1);
  });
});
