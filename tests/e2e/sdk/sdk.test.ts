import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { DebugBridge, DebugBridgeOptions } from "@debug-bridge/browser";
import type { CommandInput } from "@debug-bridge/protocol";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { bundleScript, launchChromium, root } from "../page/browser.js";
import { FakeHub, waitUntil } from "./fake-hub.js";

interface Globals {
  DebugBridge: { createDebugBridge(options: DebugBridgeOptions): DebugBridge; bridge?: DebugBridge };
  bridge: DebugBridge;
  log: string[];
}

let browser: Browser;
let hub: FakeHub;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  hub = await FakeHub.start();
  page = await browser.newPage();
});
afterEach(async () => {
  await page.close();
  await hub.stop();
  expect(hub.invalid).toEqual([]);
});

/** A page whose bridge is made by a script of its own. */
async function open(body: string, options: string, { connect = true } = {}): Promise<void> {
  hub.pages["/"] =
    `<!doctype html><html><head><title>Shop</title><script src="/sdk.js" data-connect="false"></script>
    <script>
      window.bridge = DebugBridge.createDebugBridge({ url: "${hub.url}", sessionId: "s1", ${options} });
      ${connect ? "bridge.connect();" : ""}
    </script></head><body>${body}</body></html>`;
  await page.goto(`${hub.origin}/`);
}

const FORM = `<h1>Shop</h1><button id="b" data-testid="start" onclick="document.getElementById('out').textContent = 'started'">Start</button>
  <p id="out"></p><label>E-mail <input name="email"></label><script>console.warn("early", { a: 1 })</script>`;

describe("connecting", () => {
  test("[APP-003] [APP-006…APP-011] [APP-054] [APP-088] hello and capabilities come first, then what holds now", async () => {
    await open(
      FORM,
      `appName: "Shop", appVersion: "1.2.3", getCustomState: () => ({ cart: { count: 2 }, route: "/" })`,
    );
    await hub.waitFor("state_update", (message) => message.scope === "route");
    const [hello, capabilities, ...rest] = hub.last.messages;
    expect(hello).toMatchObject({
      type: "hello",
      sessionId: "s1",
      origin: "app",
      appName: "Shop",
      appVersion: "1.2.3",
      url: `${hub.origin}/`,
      protocolVersion: 1,
      kind: "app",
    });
    expect(hello).toHaveProperty("userAgent", expect.stringContaining("Chrome"));
    expect(capabilities).toMatchObject({ type: "capabilities", protocolVersion: 1 });
    expect(hub.of("capabilities")[0]?.capabilities).toEqual([
      "dom_snapshot",
      "dom_mutations",
      "ui_tree",
      "console",
      "errors",
      "network",
      "navigation",
      "vitals",
      "state",
    ]);
    const types = rest.map(({ type }) => type);
    expect(types.indexOf("dom_snapshot")).toBeLessThan(types.indexOf("ui_tree"));
    expect(hub.of("dom_snapshot")[0]?.html).toContain("<h1>Shop</h1>");
    expect(hub.of("dom_snapshot")[0]?.html).toMatch(/^<html>.*<\/html>$/s);
    expect(hub.of("state_update").map(({ scope, state }) => [scope, state])).toEqual([
      ["cart", { count: 2 }],
      ["route", "/"],
    ]);
    for (const message of hub.messages) expect(Math.abs(message.timestamp - Date.now())).toBeLessThan(60_000);
  });

  test("[APP-041] [ARC-039] creating a bridge opens no socket; what it hears until connect is kept", async () => {
    await open(`${FORM}<script>setTimeout(() => { throw new Error("at start") })</script>`, "", {
      connect: false,
    });
    await page.waitForTimeout(300);
    expect(hub.connections).toHaveLength(0);
    await page.evaluate(() => (globalThis as unknown as Globals).bridge.connect());
    const error = await hub.waitFor("error");
    expect(error).toMatchObject({ message: expect.stringContaining("at start"), lineno: expect.any(Number) });
    expect(hub.of("console")[0]).toMatchObject({ level: "warn", args: ["early", '{"a":1}'] });
  });

  test("the URL gets role and session, and a token travels as a subprotocol", async () => {
    await open(FORM, `headers: { Authorization: "Bearer abc-123_x" }`);
    await hub.waitFor("hello");
    expect(hub.last.url).toBe("/debug?role=app&sessionId=s1");
    expect(hub.last.protocols).toEqual(["debug-bridge.v1", "bearer.abc-123_x"]);
  });

  test("[APP-044…APP-049] [APP-087] [APP-009] each capture can be switched off", async () => {
    await open(
      FORM,
      `enableDomSnapshot: false, enableDomMutations: false, enableUiTree: false, enableConsole: false, enableErrors: false,
       enableNetwork: false, enableNavigation: false, enableVitals: false, enableState: false, enableEval: true,
       getCustomState: () => ({ a: 1 })`,
    );
    await hub.waitFor("capabilities");
    expect(hub.of("capabilities")[0]?.capabilities).toEqual(["eval"]);
    const log = await page.evaluate(
      () =>
        String(console.log) ===
        String(Object.getPrototypeOf(console.log).constructor.prototype.toString.call(console.log)),
    );
    expect(log).toBe(true);
    const result = await hub.run({
      type: "evaluate",
      code: "console.log('x'); document.body.append('more'); 6 * 7",
    });
    expect(result).toMatchObject({ success: true, result: "42" });
    await page.waitForTimeout(700);
    expect([...new Set(hub.messages.map(({ type }) => type))].sort()).toEqual([
      "capabilities",
      "command_result",
      "hello",
    ]);
  });

  test("[APP-052] disconnecting closes the socket and leaves the page as it was", async () => {
    await page.addInitScript(() => {
      Object.assign(globalThis, {
        originals: [console.log, fetch, history.pushState, WebSocket, XMLHttpRequest.prototype.send],
      });
    });
    await open(FORM, "");
    await hub.waitFor("ui_tree");
    const { socket } = hub.last;
    await page.evaluate(() => (globalThis as unknown as Globals).bridge.disconnect());
    await waitUntil(
      () => socket.readyState === 3,
      () => "the socket to close",
    );
    const restored = await page.evaluate(() => {
      const now = [console.log, fetch, history.pushState, WebSocket, XMLHttpRequest.prototype.send];
      return (globalThis as unknown as { originals: unknown[] }).originals.every(
        (each, i) => each === now[i],
      );
    });
    expect(restored).toBe(true);
    const before = hub.messages.length;
    await page.evaluate(() => {
      console.log("after");
      document.body.append("after");
    });
    await page.waitForTimeout(400);
    expect(hub.messages.length).toBe(before);
    expect(hub.connections).toHaveLength(1);
  });

  test("[APP-080] a production page is left alone unless the app insists", async () => {
    hub.pages["/"] =
      `<!doctype html><script src="${hub.origin}/sdk.js" data-session="s1"></script><button>Go</button>`;
    const context = await browser.newContext();
    const away = await context.newPage();
    await away.route("http://shop.example/**", (route) =>
      route.fulfill({ contentType: "text/html", body: hub.pages["/"] ?? "" }),
    );
    const said: string[] = [];
    away.on("console", (message) => said.push(message.text()));
    await away.goto("http://shop.example/");
    await away.waitForTimeout(300);
    expect(hub.connections).toHaveLength(0);
    expect(said.join()).toContain("shop.example");
    await context.close();
  });

  test("[APP-080] a production build connects only when it is told to", async () => {
    const app = await bundleScript(`${root}tests/e2e/sdk/fixtures/app.ts`, "app");
    const load = async (options: object): Promise<void> => {
      await page.evaluate((bridgeOptions) => Object.assign(globalThis, { bridgeOptions }), {
        url: hub.url,
        sessionId: "s1",
        ...options,
      });
      await page.addScriptTag({ content: app });
    };
    hub.pages["/"] = "<!doctype html><button>Go</button>";
    await page.goto(`${hub.origin}/`);
    await load({});
    await page.waitForTimeout(300);
    expect(hub.connections).toHaveLength(0);
    await load({ allowProduction: true });
    await hub.waitFor("ui_tree");
  });
});

describe("working with an agent that knows the first protocol", () => {
  test("[APP-031…APP-039] [APP-078] [APP-079] [ARC-012] sees the tree, clicks, types, and reads the effects", async () => {
    await open(FORM, "");
    const tree = await hub.waitFor("ui_tree");
    expect(tree.items.find(({ id }) => id === "start")).toMatchObject({
      role: "button",
      text: "Start",
      visible: true,
    });
    const email = tree.items.find(({ meta, role }) => meta?.name === "email" && role === "textbox");
    hub.send({ origin: "agent", type: "click", target: { id: "start" } });
    const clicked = await hub.waitFor("command_result");
    expect(clicked).toMatchObject({ requestType: "click", success: true });
    expect(clicked.requestId).toBeUndefined();
    const mutation = await hub.waitFor("dom_mutations", ({ mutations }) =>
      JSON.stringify(mutations).includes("started"),
    );
    expect(mutation.mutations[0]?.targetSelector).toBe("#out");
    await hub.run({ type: "type", target: { id: email?.id ?? "" }, text: "ada@x.org" });
    expect(await page.inputValue("[name=email]")).toBe("ada@x.org");
    const asked = hub.messages.length;
    expect(await hub.run({ type: "request_ui_tree" })).toMatchObject({ success: true });
    const answer = hub.messages.slice(asked).map(({ type }) => type);
    expect(answer.indexOf("ui_tree")).toBeGreaterThanOrEqual(0);
    expect(answer.indexOf("ui_tree")).toBeLessThan(answer.indexOf("command_result"));
    expect(await hub.run({ type: "request_dom_snapshot" })).toMatchObject({ success: true });
    expect(await hub.run({ type: "click", target: { text: "Nope" } })).toMatchObject({
      success: false,
      error: "target_not_found",
    });
    expect(await hub.run({ type: "evaluate", code: "1" })).toMatchObject({
      success: false,
      error: "eval_disabled",
    });
  });

  test("[APP-033] navigate answers, then takes the page there", async () => {
    hub.pages["/next"] = "<!doctype html><title>Next</title>there";
    await open(FORM, "");
    await hub.waitFor("ui_tree");
    const result = await hub.run({ type: "navigate", url: "/next" });
    expect(result).toMatchObject({ success: true, receipt: { navigation: { to: `${hub.origin}/next` } } });
    await page.waitForURL("**/next");
  });

  test("a click that leaves the page is answered before it goes", async () => {
    hub.pages["/next"] = "<!doctype html>there";
    await open(`<a href="/next">Go on</a>`, "");
    await hub.waitFor("ui_tree");
    const result = await hub.run({ type: "click", target: { text: "Go on" } });
    expect(result).toMatchObject({
      success: true,
      receipt: { settled: false, navigation: { to: `${hub.origin}/next` } },
    });
  });
});

describe("keeping the connection", () => {
  test("[ARC-039] it comes back and resends only what the hub has not seen", async () => {
    let received = 0;
    hub.welcome = () => ({ lastSeq: received, agents: 1 });
    await open(FORM, "");
    await hub.waitFor("ui_tree");
    await page.evaluate(() => console.log("one"));
    await hub.waitFor("console", ({ args }) => args[0] === "one");
    const first = hub.last;
    received = Math.max(...first.messages.map(({ seq }) => seq ?? 0));
    first.socket.terminate();
    await page.evaluate(() => console.log("while away"));
    await waitUntil(
      () => hub.connections.length === 2,
      () => "a second connection",
    );
    await hub.waitFor(
      "console",
      ({ args }) => args[0] === "while away",
      () => hub.last.messages,
    );
    await hub.waitFor(
      "ui_tree",
      () => true,
      () => hub.last.messages,
    );
    const numbers = hub.messages.map(({ seq }) => seq).filter((seq) => seq !== undefined);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect([...numbers].sort((a, b) => a - b)).toEqual(numbers.map((_, i) => i + 1));
    const ids = hub.of("hello").map(({ instanceId }) => instanceId);
    expect(ids[0]).toBe(ids[1]);
  });

  test("what the ring lost is said in a gap", async () => {
    hub.welcome = () => ({ lastSeq: 0, agents: 0 });
    await open(FORM, "", { connect: false });
    await page.evaluate(() => {
      for (let i = 0; i < 2_500; i++) console.log("line", i);
      (globalThis as unknown as Globals).bridge.connect();
    });
    const gap = await hub.waitFor("gap");
    expect(gap).toMatchObject({ from: 1, dropped: gap.to });
    await hub.waitFor("console", ({ args }) => args[1] === "2499");
    expect(hub.of("console")[0]?.seq).toBe((gap.to ?? 0) + 1);
  });

  test("the mark is shown while an agent is attached, is in no tree, and its stop button disconnects", async () => {
    hub.welcome = () => ({ lastSeq: 0, agents: 0 });
    await open(FORM, "");
    await hub.waitFor("ui_tree");
    expect(await page.locator("debug-bridge-mark").count()).toBe(0);
    hub.send({ type: "agents_changed", agents: 1 });
    await page.locator("debug-bridge-mark").waitFor({ state: "attached" });
    await hub.run({ type: "request_dom_snapshot" });
    await hub.run({ type: "request_ui_tree" });
    await page.evaluate(() => document.body.append("x"));
    await hub.waitFor("dom_mutations");
    expect(JSON.stringify(hub.messages)).not.toMatch(/debug-bridge-mark|Agent connected/);
    const box = await page.locator("debug-bridge-mark").boundingBox();
    if (!box) throw new Error("the mark is not drawn");
    await page.mouse.click(box.x + box.width - 22, box.y + box.height / 2);
    await waitUntil(
      () => hub.last.socket.readyState === 3,
      () => "the socket to close",
    );
    expect(await page.locator("debug-bridge-mark").count()).toBe(0);
  });
});

describe("commands", () => {
  test("[APP-037] [APP-038] [ARC-013] every command is answered once, with its requestId", async () => {
    await open(FORM, "");
    await hub.waitFor("ui_tree");
    const target = { selector: "#b" };
    const commands: CommandInput[] = [
      { type: "click", target },
      { type: "type", target: { selector: "[name=email]" }, text: "x" },
      { type: "press", key: "Tab" },
      { type: "select", target, values: ["x"] },
      { type: "hover", target },
      { type: "scroll", to: "top" },
      { type: "drag", source: target, target },
      { type: "evaluate", code: "1" },
      { type: "wait_for", target },
      { type: "get_state" },
      { type: "call_tool", name: "none" },
      { type: "screenshot" },
      { type: "request_ui_tree", format: "text" },
      { type: "request_dom_snapshot" },
    ];
    for (const command of commands) {
      const { requestId, requestType, success, error } = await hub.run(command);
      expect(requestType).toBe(command.type);
      expect(error === undefined).toBe(success);
      expect(hub.of("command_result").filter((result) => result.requestId === requestId)).toHaveLength(1);
    }
  });

  test("an action that is sent again with its key over the next connection runs once", async () => {
    hub.welcome = () => ({ lastSeq: 0, agents: 1 });
    await open(`<button onclick="this.dataset.n = Number(this.dataset.n ?? 0) + 1">Pay</button>`, "");
    await hub.waitFor("ui_tree");
    const pay: CommandInput = {
      type: "click",
      target: { text: "Pay" },
      idempotencyKey: "pay-1",
      settle: { quietMs: 400 },
    };
    hub.send({ origin: "agent", requestId: "lost", ...pay });
    await page.waitForFunction(() => document.querySelector("button")?.dataset.n === "1");
    hub.last.socket.terminate();
    await waitUntil(
      () => hub.connections.length === 2,
      () => "a second connection",
    );
    await hub.waitFor(
      "ui_tree",
      () => true,
      () => hub.last.messages,
    );
    expect(await hub.run(pay)).toMatchObject({ success: true, receipt: { settled: true } });
    expect(await page.getAttribute("button", "data-n")).toBe("1");
  });

  test("a command can be cancelled", async () => {
    await open(FORM, "");
    await hub.waitFor("ui_tree");
    hub.send({ origin: "agent", type: "wait_for", requestId: "w", text: "never", maxMs: 60_000 });
    hub.send({ origin: "agent", type: "cancel", requestId: "w" });
    const answer = await hub.waitFor("command_result", ({ requestId }) => requestId === "w");
    expect(answer).toMatchObject({ success: false, error: "cancelled" });
  });
});

describe("tools and state", () => {
  test("[APP-040] [APP-050] [APP-053] [ARC-022] [ARC-023] registered tools are offered and called; state is sent and read", async () => {
    await open(FORM, "");
    await page.evaluate(() => {
      const { bridge } = globalThis as unknown as Globals;
      bridge.registerTool("add", { type: "object", description: "Adds" }, (input) => {
        const { a, b } = input as { a: number; b: number };
        return a + b;
      });
      bridge.sendCustomState("cart", { items: [1], authToken: "t0ps3cret" });
    });
    const offered = await hub.waitFor("capabilities", ({ tools }) => tools?.[0]?.name === "add");
    expect(offered.tools?.[0]).toMatchObject({ description: "Adds" });
    expect(await hub.run({ type: "call_tool", name: "add", input: { a: 2, b: 3 } })).toMatchObject({
      success: true,
      value: 5,
      result: "5",
    });
    expect(await hub.run({ type: "call_tool", name: "sub" })).toMatchObject({
      success: false,
      error: "tool_not_found",
    });
    expect(await hub.run({ type: "get_state", scope: "cart" })).toMatchObject({
      value: { items: [1], authToken: "•••" },
    });
    expect(hub.of("state_update")[0]).toMatchObject({ scope: "cart", state: { items: [1] } });
  });

  test("tools that a page registers through WebMCP are offered too", async () => {
    await page.addInitScript(() => {
      const modelContext = { registerTool: () => undefined, provideContext: () => undefined };
      Object.defineProperty(navigator, "modelContext", { value: modelContext, configurable: true });
    });
    await open(FORM, "");
    await page.evaluate(() => {
      const { modelContext } = navigator as Navigator & {
        modelContext: { registerTool(tool: object): void };
      };
      modelContext.registerTool({
        name: "greet",
        description: "Greets",
        execute: ({ who }: { who: string }) => `hi ${who}`,
      });
    });
    await hub.waitFor("capabilities", ({ tools }) => tools?.[0]?.name === "greet");
    expect(await hub.run({ type: "call_tool", name: "greet", input: { who: "Ada" } })).toMatchObject({
      value: "hi Ada",
    });
  });
});

test("sockets of the app are followed frame by frame, and our own is not", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  server.on("connection", (socket) => socket.on("message", (data) => socket.send(`echo ${data}`)));
  await open(FORM, "captureBodies: true");
  await hub.waitFor("ui_tree");
  await page.evaluate(
    (port) =>
      new Promise<void>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
        socket.onopen = () => socket.send("hi");
        socket.onmessage = () => socket.close();
        socket.onclose = () => resolve();
      }),
    (server.address() as AddressInfo).port,
  );
  await hub.waitFor("network", ({ phase }) => phase === "close");
  server.close();
  const frames = hub.of("network").map(({ phase, direction, body }) => [phase, direction, body]);
  expect(frames).toEqual([
    ["open", undefined, undefined],
    ["message", "out", "hi"],
    ["message", "in", "echo hi"],
    ["close", undefined, undefined],
  ]);
});

test("the script tag alone connects to where it came from", async () => {
  hub.pages["/"] =
    `<!doctype html><script src="/sdk.js" data-session="s1" data-eval data-app-name="Tagged"></script><button>Go</button>`;
  await page.goto(`${hub.origin}/`);
  const hello = await hub.waitFor("hello");
  expect(hello).toMatchObject({ appName: "Tagged", sessionId: "s1" });
  await hub.waitFor("ui_tree", ({ items }) => items[0]?.text === "Go");
  expect(await hub.run({ type: "evaluate", code: "document.title = 'x'; 'done'" })).toMatchObject({
    result: "done",
  });
});
