import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { CommandInput } from "@debug-bridge/protocol";
import { describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { waitUntil } from "./fake-hub.js";
import { FORM, type Globals, setStage } from "./stage.js";

const stage = setStage();

describe("working with an agent that knows the first protocol", () => {
  test("[APP-031…APP-039] [APP-078] [APP-079] [ARC-012] sees the tree, clicks, types, and reads the effects", async () => {
    await stage.open(
      FORM,
      `getCustomState: () => ({ form: { email: document.querySelector("[name=email]").value } })`,
    );
    const tree = await stage.hub.waitFor("ui_tree");
    expect(tree.items.find(({ id }) => id === "start")).toMatchObject({
      role: "button",
      text: "Start",
      visible: true,
    });
    const email = tree.items.find(({ meta, role }) => meta?.name === "email" && role === "textbox");
    stage.hub.send({ origin: "agent", type: "click", target: { id: "start" } });
    const clicked = await stage.hub.waitFor("command_result");
    expect(clicked).toMatchObject({ requestType: "click", success: true });
    expect(clicked.requestId).toBeUndefined();
    const mutation = await stage.hub.waitFor("dom_mutations", ({ mutations }) =>
      JSON.stringify(mutations).includes("started"),
    );
    expect(mutation.mutations[0]?.targetSelector).toBe("#out");
    await stage.hub.run({ type: "type", target: { id: email?.id ?? "" }, text: "ada@x.org" });
    expect(await stage.page.inputValue("[name=email]")).toBe("ada@x.org");
    expect(await stage.hub.run({ type: "get_state", scope: "form" })).toMatchObject({
      success: true,
      value: { email: "ada@x.org" },
    });
    const asked = stage.hub.messages.length;
    expect(await stage.hub.run({ type: "request_ui_tree" })).toMatchObject({ success: true });
    const answer = stage.hub.messages.slice(asked).map(({ type }) => type);
    expect(answer.indexOf("ui_tree")).toBeGreaterThanOrEqual(0);
    expect(answer.indexOf("ui_tree")).toBeLessThan(answer.indexOf("command_result"));
    expect(await stage.hub.run({ type: "request_dom_snapshot" })).toMatchObject({ success: true });
    expect(await stage.hub.run({ type: "click", target: { text: "Nope" } })).toMatchObject({
      success: false,
      error: "target_not_found",
    });
    expect(await stage.hub.run({ type: "evaluate", code: "1" })).toMatchObject({
      success: false,
      error: "eval_disabled",
    });
  });

  test("[APP-033] navigate answers, then the page navigates", async () => {
    stage.hub.pages["/next"] = "<!doctype html><title>Next</title>there";
    await stage.open(FORM, "");
    await stage.hub.waitFor("ui_tree");
    const result = await stage.hub.run({ type: "navigate", url: "/next" });
    expect(result).toMatchObject({
      success: true,
      receipt: { navigation: { to: `${stage.hub.origin}/next` } },
    });
    await stage.page.waitForURL("**/next");
  });

  test("a click that leaves the page is answered before it goes", async () => {
    stage.hub.pages["/next"] = "<!doctype html>there";
    await stage.open(`<a href="/next">Go on</a>`, "");
    await stage.hub.waitFor("ui_tree");
    const result = await stage.hub.run({ type: "click", target: { text: "Go on" } });
    expect(result).toMatchObject({
      success: true,
      receipt: { settled: false, navigation: { to: `${stage.hub.origin}/next` } },
    });
    await stage.page.waitForURL("**/next");
  });

  test("a click that reloads the page is answered each time, and reports it", async () => {
    await stage.open(`<button onclick="location.reload()">Again</button>`, "");
    for (let load = 1; load <= 8; load++) {
      await waitUntil(
        () => stage.hub.connections.length === load && stage.hub.of("ui_tree", stage.hub.last.messages)[0],
        () => `page load ${load}`,
      );
      stage.hub.send({
        origin: "agent",
        type: "click",
        target: { text: "Again" },
        requestId: `click ${load}`,
      });
    }
    await waitUntil(
      () => stage.hub.connections.length === 9,
      () => "the last page load",
    );
    const { origin } = stage.hub;
    expect(stage.hub.of("command_result")).toHaveLength(8);
    for (const { receipt } of stage.hub.of("command_result"))
      expect(receipt).toMatchObject({ settled: false, navigation: { from: `${origin}/`, to: `${origin}/` } });
  });
});

describe("commands", () => {
  test("[APP-037] [APP-038] [ARC-013] every command is answered once, with its requestId", async () => {
    await stage.open(FORM, "");
    await stage.hub.waitFor("ui_tree");
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
      const { requestId, requestType, success, error } = await stage.hub.run(command);
      expect(requestType).toBe(command.type);
      expect(error === undefined).toBe(success);
      expect(stage.hub.of("command_result").filter((result) => result.requestId === requestId)).toHaveLength(
        1,
      );
    }
  });

  test("an action that is sent again with its key over the next connection runs once", async () => {
    stage.hub.welcome = () => ({ lastSeq: 0, agents: 1 });
    await stage.open(`<button onclick="this.dataset.n = Number(this.dataset.n ?? 0) + 1">Pay</button>`, "");
    await stage.hub.waitFor("ui_tree");
    const pay: CommandInput = {
      type: "click",
      target: { text: "Pay" },
      idempotencyKey: "pay-1",
      settle: { quietMs: 400 },
    };
    stage.hub.send({ origin: "agent", requestId: "lost", ...pay });
    await stage.page.waitForFunction(() => document.querySelector("button")?.dataset.n === "1");
    stage.hub.last.socket.terminate();
    await waitUntil(
      () => stage.hub.connections.length === 2,
      () => "a second connection",
    );
    await stage.hub.waitFor(
      "ui_tree",
      () => true,
      () => stage.hub.last.messages,
    );
    expect(await stage.hub.run(pay)).toMatchObject({ success: true, receipt: { settled: true } });
    expect(await stage.page.getAttribute("button", "data-n")).toBe("1");
  });

  test("[ARC-060] an action that reloads the page runs once for its key", async () => {
    stage.hub.welcome = () => ({ lastSeq: 0, agents: 1 });
    await stage.open(
      `<button onclick="localStorage.saves = Number(localStorage.saves ?? 0) + 1; location.reload()">Save</button>`,
      "enableEval: true",
    );
    await stage.hub.waitFor("ui_tree");
    const save: CommandInput = { type: "click", target: { text: "Save" }, idempotencyKey: "save-1" };
    stage.hub.send({ origin: "agent", requestId: "first", ...save });
    const arrived = async (documents: number): Promise<void> => {
      await waitUntil(
        () => stage.hub.connections.length === documents,
        () => `document ${documents}`,
      );
      await stage.hub.waitFor(
        "ui_tree",
        () => true,
        () => stage.hub.last.messages,
      );
    };
    const saves = (): Promise<unknown> => stage.hub.run({ type: "evaluate", code: "localStorage.saves" });
    await arrived(2);
    const again = await stage.hub.run(save);
    if (!again.success) expect(again.error).toBe("outcome_unknown");
    expect(await saves()).toMatchObject({ result: "1" });
    // Another key is another action: what it does once more shows that the first was not done twice.
    stage.hub.send({ origin: "agent", requestId: "second", ...save, idempotencyKey: "save-2" });
    await arrived(3);
    expect(await saves()).toMatchObject({ result: "2" });
    expect(stage.hub.connections).toHaveLength(3);
  });

  test("files are chosen and dropped, and paths are refused", async () => {
    await stage.open(
      `<label>Photo <input type="file" onchange="show(this.files)"></label><p id="out"></p>
       <div id="zone" style="height:80px" ondragover="event.preventDefault()" ondrop="show(event.dataTransfer.files)">Drop</div>
       <script>const show = async ([file]) => { out.textContent = file.name + " " + file.type + " " + await file.text() }</script>`,
      "",
    );
    await stage.hub.waitFor("ui_tree");
    const file = (text: string) => ({
      ...{ name: `${text}.txt`, mimeType: "text/plain" },
      data: Buffer.from(text).toString("base64"),
    });
    const chosen = await stage.hub.run({
      type: "set_files",
      target: { text: "Photo" },
      files: [file("one")],
    });
    expect(chosen).toMatchObject({ success: true, value: [{ name: "one.txt", bytes: 3 }] });
    await stage.page.getByText("one.txt text/plain one").waitFor();
    const zone = { selector: "#zone" };
    expect(
      await stage.hub.run({ type: "set_files", target: zone, files: [file("two")], drop: true }),
    ).toMatchObject({ success: true });
    await stage.page.getByText("two.txt text/plain two").waitFor();
    const path = await stage.hub.run({
      type: "set_files",
      target: { text: "Photo" },
      files: [{ path: "/etc/hosts" }],
    });
    expect(path).toMatchObject({ success: false, error: "not_supported", details: { field: "files" } });
  });

  test("a command can be cancelled", async () => {
    await stage.open(FORM, "");
    await stage.hub.waitFor("ui_tree");
    stage.hub.send({ origin: "agent", type: "wait_for", requestId: "w", text: "never", maxMs: 60_000 });
    stage.hub.send({ origin: "agent", type: "cancel", requestId: "w" });
    const answer = await stage.hub.waitFor("command_result", ({ requestId }) => requestId === "w");
    expect(answer).toMatchObject({ success: false, error: "cancelled" });
  });
});

describe("tools and state", () => {
  test("[APP-040] [APP-050] [APP-053] [ARC-022] [ARC-023] registered tools are offered and called; state is sent and read", async () => {
    await stage.open(FORM, "");
    await stage.page.evaluate(() => {
      const { bridge } = globalThis as unknown as Globals;
      bridge.registerTool("add", { type: "object", description: "Adds" }, (input) => {
        const { a, b } = input as { a: number; b: number };
        return a + b;
      });
      bridge.sendCustomState("cart", { items: [1], authToken: "t0ps3cret" });
    });
    const offered = await stage.hub.waitFor("capabilities", ({ tools }) => tools?.[0]?.name === "add");
    expect(offered.tools?.[0]).toMatchObject({ description: "Adds" });
    expect(await stage.hub.run({ type: "call_tool", name: "add", input: { a: 2, b: 3 } })).toMatchObject({
      success: true,
      value: 5,
      result: "5",
    });
    expect(await stage.hub.run({ type: "call_tool", name: "sub" })).toMatchObject({
      success: false,
      error: "tool_not_found",
    });
    expect(await stage.hub.run({ type: "get_state", scope: "cart" })).toMatchObject({
      value: { items: [1], authToken: "•••" },
    });
    expect(stage.hub.of("state_update")[0]).toMatchObject({ scope: "cart", state: { items: [1] } });
  });

  test("tools that a page registers through WebMCP are offered too", async () => {
    await stage.page.addInitScript(() => {
      const modelContext = { registerTool: () => undefined, provideContext: () => undefined };
      Object.defineProperty(navigator, "modelContext", { value: modelContext, configurable: true });
    });
    await stage.open(FORM, "");
    await stage.page.evaluate(() => {
      const { modelContext } = navigator as Navigator & {
        modelContext: { registerTool(tool: object): void };
      };
      modelContext.registerTool({
        name: "greet",
        description: "Greets",
        execute: ({ who }: { who: string }) => `hi ${who}`,
      });
    });
    await stage.hub.waitFor("capabilities", ({ tools }) => tools?.[0]?.name === "greet");
    expect(await stage.hub.run({ type: "call_tool", name: "greet", input: { who: "Ada" } })).toMatchObject({
      value: "hi Ada",
    });
  });
});

test("sockets of the app are followed frame by frame, and our own is not", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  server.on("connection", (socket) => socket.on("message", (data) => socket.send(`echo ${data}`)));
  await stage.open(FORM, "captureBodies: true");
  await stage.hub.waitFor("ui_tree");
  await stage.page.evaluate(
    (port) =>
      new Promise<void>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
        socket.onopen = () => socket.send("hi");
        socket.onmessage = () => socket.close();
        socket.onclose = () => resolve();
      }),
    (server.address() as AddressInfo).port,
  );
  await stage.hub.waitFor("network", ({ phase }) => phase === "close");
  server.close();
  const frames = stage.hub.of("network").map(({ phase, direction, body }) => [phase, direction, body]);
  expect(frames).toEqual([
    ["open", undefined, undefined],
    ["message", "out", "hi"],
    ["message", "in", "echo hi"],
    ["close", undefined, undefined],
  ]);
});

test("the script tag alone connects to where it came from", async () => {
  stage.hub.pages["/"] =
    `<!doctype html><script src="/sdk.js" data-session="s1" data-eval data-app-name="Tagged"></script><button>Go</button>`;
  await stage.page.goto(`${stage.hub.origin}/`);
  const hello = await stage.hub.waitFor("hello");
  expect(hello).toMatchObject({ appName: "Tagged", sessionId: "s1" });
  await stage.hub.waitFor("ui_tree", ({ items }) => items[0]?.text === "Go");
  expect(await stage.hub.run({ type: "evaluate", code: "document.title = 'x'; 'done'" })).toMatchObject({
    result: "done",
  });
});
