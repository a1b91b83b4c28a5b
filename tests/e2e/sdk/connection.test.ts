import { describe, expect, test } from "vitest";
import { bundleScript, root } from "../page/browser.js";
import { waitUntil } from "./fake-hub.js";
import { FORM, type Globals, setStage } from "./stage.js";

const stage = setStage();

describe("connecting", () => {
  test("[APP-003] [APP-006…APP-011] [APP-054] [APP-088] hello and capabilities come first, then the current state", async () => {
    await stage.open(
      FORM,
      `appName: "Shop", appVersion: "1.2.3", getCustomState: () => ({ cart: { count: 2 }, route: "/" })`,
    );
    // They come in an order that depends on when the page is idle.
    await stage.hub.waitFor("state_update", (message) => message.scope === "route");
    await stage.hub.waitFor("dom_snapshot");
    await stage.hub.waitFor("ui_tree");
    const [hello, capabilities, ...rest] = stage.hub.last.messages;
    expect(hello).toMatchObject({
      type: "hello",
      sessionId: "s1",
      origin: "app",
      appName: "Shop",
      appVersion: "1.2.3",
      url: `${stage.hub.origin}/`,
      protocolVersion: 1,
      kind: "app",
    });
    expect(hello).toHaveProperty("userAgent", expect.stringContaining("Chrome"));
    expect(capabilities).toMatchObject({ type: "capabilities", protocolVersion: 1 });
    expect(stage.hub.of("capabilities")[0]?.capabilities).toEqual([
      "dom_snapshot",
      "dom_mutations",
      "ui_tree",
      "console",
      "errors",
      "network",
      "navigation",
      "vitals",
      "state",
      "replay",
    ]);
    const types = rest.map(({ type }) => type);
    expect(types.indexOf("dom_snapshot")).toBeLessThan(types.indexOf("ui_tree"));
    expect(stage.hub.of("dom_snapshot")[0]?.html).toContain("<h1>Shop</h1>");
    expect(stage.hub.of("dom_snapshot")[0]?.html).toMatch(/^<html>.*<\/html>$/s);
    expect(stage.hub.of("state_update").map(({ scope, state }) => [scope, state])).toEqual([
      ["cart", { count: 2 }],
      ["route", "/"],
    ]);
    for (const message of stage.hub.messages)
      expect(Math.abs(message.timestamp - Date.now())).toBeLessThan(60_000);
  });

  test("[APP-041] [ARC-039] creating a bridge opens no socket; what it captures until connect is kept", async () => {
    await stage.open(`${FORM}<script>setTimeout(() => { throw new Error("at start") })</script>`, "", {
      connect: false,
    });
    await stage.page.waitForTimeout(300);
    expect(stage.hub.connections).toHaveLength(0);
    await stage.page.evaluate(() => (globalThis as unknown as Globals).bridge.connect());
    const error = await stage.hub.waitFor("error");
    expect(error).toMatchObject({ message: expect.stringContaining("at start"), lineno: expect.any(Number) });
    expect(stage.hub.of("console")[0]).toMatchObject({ level: "warn", args: ["early", '{"a":1}'] });
  });

  test("the URL gets role and session, and a token travels as a subprotocol", async () => {
    await stage.open(FORM, `headers: { Authorization: "Bearer abc-123_x" }`);
    await stage.hub.waitFor("hello");
    expect(stage.hub.last.url).toBe("/debug?role=app&sessionId=s1");
    expect(stage.hub.last.protocols).toEqual(["debug-bridge.v1", "bearer.abc-123_x"]);
  });

  test.each([
    ["enableDomSnapshot", ["dom_snapshot"]],
    ["enableUiTree", ["ui_tree"]],
    ["enableState", ["state_update"]],
    ["enableConsole", ["console"]],
    ["enableErrors", ["error"]],
  ])("[APP-087] %s: false switches off %j and nothing else", async (option, off) => {
    const all = ["console", "dom_snapshot", "error", "state_update", "ui_tree"];
    await stage.open(
      `${FORM}<script>addEventListener("load", () => { console.log("said"); setTimeout(() => { throw new Error("thrown") }); })</script>`,
      `${option}: false, getCustomState: () => ({ cart: 1 })`,
    );
    const expected = all.filter((type) => !off.includes(type));
    const seen = (): string[] => all.filter((type) => stage.hub.messages.some((each) => each.type === type));
    await waitUntil(
      () => expected.every((type) => seen().includes(type)),
      () => `${expected}; got ${seen()}`,
    );
    // A capture that was on would have sent before the answer to this command.
    await stage.hub.run({ type: "get_state" });
    expect(seen()).toEqual(expected);
  });

  test("[APP-044…APP-049] [APP-009] all captures can be switched off", async () => {
    await stage.page.addInitScript("window.firstLog = console.log");
    await stage.open(
      FORM,
      `enableDomSnapshot: false, enableDomMutations: false, enableUiTree: false, enableConsole: false, enableErrors: false,
       enableNetwork: false, enableNavigation: false, enableVitals: false, enableState: false, enableReplay: false,
       enableEval: true,
       getCustomState: () => ({ a: 1 })`,
    );
    await stage.hub.waitFor("capabilities");
    expect(stage.hub.of("capabilities")[0]?.capabilities).toEqual(["eval"]);
    expect(await stage.page.evaluate("console.log === firstLog")).toBe(true);
    const result = await stage.hub.run({
      type: "evaluate",
      code: "console.log('x'); document.body.append('more'); 6 * 7",
    });
    expect(result).toMatchObject({ success: true, result: "42" });
    await stage.page.waitForTimeout(700);
    expect([...new Set(stage.hub.messages.map(({ type }) => type))].sort()).toEqual([
      "capabilities",
      "command_result",
      "hello",
    ]);
  });

  test("[APP-052] disconnecting closes the socket and leaves the page as it was", async () => {
    await stage.page.addInitScript(() => {
      Object.assign(globalThis, {
        originals: [console.log, fetch, history.pushState, WebSocket, XMLHttpRequest.prototype.send],
      });
    });
    await stage.open(FORM, "");
    await stage.hub.waitFor("ui_tree");
    const { socket } = stage.hub.last;
    await stage.page.evaluate(() => (globalThis as unknown as Globals).bridge.disconnect());
    await waitUntil(
      () => socket.readyState === 3,
      () => "the socket to close",
    );
    const restored = await stage.page.evaluate(() => {
      const now = [console.log, fetch, history.pushState, WebSocket, XMLHttpRequest.prototype.send];
      return (globalThis as unknown as { originals: unknown[] }).originals.every(
        (each, i) => each === now[i],
      );
    });
    expect(restored).toBe(true);
    const before = stage.hub.messages.length;
    await stage.page.evaluate(() => {
      console.log("after");
      document.body.append("after");
    });
    await stage.page.waitForTimeout(400);
    expect(stage.hub.messages.length).toBe(before);
    expect(stage.hub.connections).toHaveLength(1);
  });

  test("[APP-080] a production page is left alone unless the app allows it", async () => {
    stage.hub.pages["/"] =
      `<!doctype html><script src="${stage.hub.origin}/sdk.js" data-session="s1"></script><button>Go</button>`;
    const context = await stage.browser.newContext();
    const away = await context.newPage();
    await away.route("http://shop.example/**", (route) =>
      route.fulfill({ contentType: "text/html", body: stage.hub.pages["/"] ?? "" }),
    );
    const lines: string[] = [];
    away.on("console", (message) => lines.push(message.text()));
    await away.goto("http://shop.example/");
    await away.waitForTimeout(300);
    expect(stage.hub.connections).toHaveLength(0);
    expect(lines.join()).toContain("shop.example");
    await context.close();
  });

  test("[APP-080] a production build connects only when the app allows it", async () => {
    const app = await bundleScript(`${root}tests/e2e/page/fixtures/sdk-app.ts`, "app");
    const load = async (options: object): Promise<void> => {
      await stage.page.evaluate((bridgeOptions) => Object.assign(globalThis, { bridgeOptions }), {
        url: stage.hub.url,
        sessionId: "s1",
        ...options,
      });
      await stage.page.addScriptTag({ content: app });
    };
    stage.hub.pages["/"] = "<!doctype html><button>Go</button>";
    await stage.page.goto(`${stage.hub.origin}/`);
    await load({});
    await stage.page.waitForTimeout(300);
    expect(stage.hub.connections).toHaveLength(0);
    await load({ allowProduction: true });
    await stage.hub.waitFor("ui_tree");
  });
});

describe("keeping the connection", () => {
  test("[ARC-039] it comes back and resends only what the hub has not seen", async () => {
    let received = 0;
    stage.hub.welcome = () => ({ lastSeq: received, agents: 1 });
    await stage.open(FORM, "");
    await stage.hub.waitFor("ui_tree");
    await stage.page.evaluate(() => console.log("one"));
    await stage.hub.waitFor("console", ({ args }) => args[0] === "one");
    const first = stage.hub.last;
    received = Math.max(...first.messages.map(({ seq }) => seq ?? 0));
    first.socket.terminate();
    await stage.page.evaluate(() => console.log("while away"));
    await waitUntil(
      () => stage.hub.connections.length === 2,
      () => "a second connection",
    );
    await stage.hub.waitFor(
      "console",
      ({ args }) => args[0] === "while away",
      () => stage.hub.last.messages,
    );
    await stage.hub.waitFor(
      "ui_tree",
      () => true,
      () => stage.hub.last.messages,
    );
    const numbers = stage.hub.messages.map(({ seq }) => seq).filter((seq) => seq !== undefined);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect([...numbers].sort((a, b) => a - b)).toEqual(numbers.map((_, i) => i + 1));
    const ids = stage.hub.of("hello").map(({ instanceId }) => instanceId);
    expect(ids[0]).toBe(ids[1]);
  });

  test("lost messages are reported in a gap", async () => {
    stage.hub.welcome = () => ({ lastSeq: 0, agents: 0 });
    await stage.open(FORM, "", { connect: false });
    await stage.page.evaluate(() => {
      for (let i = 0; i < 2_500; i++) console.log("line", i);
      (globalThis as unknown as Globals).bridge.connect();
    });
    const gap = await stage.hub.waitFor("gap");
    expect(gap).toMatchObject({ from: 1, dropped: gap.to });
    await stage.hub.waitFor("console", ({ args }) => args[1] === "2499");
    expect(stage.hub.of("console")[0]?.seq).toBe((gap.to ?? 0) + 1);
  });

  test("a command that needs the second script is answered with the reason when that cannot be loaded", async () => {
    stage.hub.welcome = () => ({ lastSeq: 0, agents: 0 });
    await stage.page.route("**/sdk-dom.js", (route) => route.abort());
    await stage.open(FORM, "");
    await stage.hub.waitFor("error", ({ message }) => message?.includes("could not load") === true);
    expect(await stage.hub.run({ type: "request_ui_tree" })).toMatchObject({
      success: false,
      error: "internal",
      message: expect.stringContaining("sdk-dom.js"),
    });
    stage.hub.send({ type: "bridge_error", code: "invalid_message", message: "no command" });
    await stage.page.unroute("**/sdk-dom.js");
    expect(await stage.hub.run({ type: "request_ui_tree" })).toMatchObject({ success: true });
    expect(stage.hub.of("command_result")).toHaveLength(2);
  });

  test("the mark is shown while an agent is attached, is in no tree, and its stop button disconnects", async () => {
    stage.hub.welcome = () => ({ lastSeq: 0, agents: 0 });
    await stage.open(FORM, "");
    await stage.hub.waitFor("ui_tree");
    expect(await stage.page.locator("debug-bridge-mark").count()).toBe(0);
    stage.hub.send({ type: "agents_changed", agents: 1 });
    await stage.page.locator("debug-bridge-mark").waitFor({ state: "attached" });
    await stage.hub.run({ type: "request_dom_snapshot" });
    await stage.hub.run({ type: "request_ui_tree" });
    await stage.page.evaluate(() => document.body.append("x"));
    await stage.hub.waitFor("dom_mutations");
    expect(JSON.stringify(stage.hub.messages)).not.toMatch(/debug-bridge-mark|Agent connected/);
    const box = await stage.page.locator("debug-bridge-mark").boundingBox();
    if (!box) throw new Error("the mark is not drawn");
    await stage.page.mouse.click(box.x + box.width - 22, box.y + box.height / 2);
    await waitUntil(
      () => stage.hub.last.socket.readyState === 3,
      () => "the socket to close",
    );
    expect(await stage.page.locator("debug-bridge-mark").count()).toBe(0);
  });
});
