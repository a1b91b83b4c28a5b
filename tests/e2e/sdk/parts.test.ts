import { describe, expect, test } from "vitest";
import { waitUntil } from "./fake-hub.js";
import { FORM, setStage } from "./stage.js";

const stage = setStage();

/** The scripts of ours that the page asks for from now on. */
function scriptsLoaded(): string[] {
  const loaded: string[] = [];
  stage.page.on("request", (request) => {
    const name = /\/(sdk[\w-]*)\.js$/.exec(new URL(request.url()).pathname)?.[1];
    if (name) loaded.push(name);
  });
  return loaded;
}

const START = { type: "click", target: { selector: "#b" } } as const;
const out = (): Promise<string | null> => stage.page.locator("#out").textContent();

describe("parts of the SDK", () => {
  test("what acts is loaded at the first action and what searches at the first search, each once", async () => {
    stage.hub.welcome = () => ({ lastSeq: 0, agents: 0 });
    const loaded = scriptsLoaded();
    await stage.open(FORM, "");
    await stage.hub.waitFor("ui_tree");
    const before = await stage.hub.run({ type: "request_ui_tree", format: "text" });
    await stage.hub.run({ type: "dialog", action: "accept" });
    await stage.hub.run({ type: "wait_for", target: { selector: "#b" } });
    expect(loaded).toEqual(["sdk", "sdk-dom"]);
    const [clicked, typed] = await Promise.all([
      stage.hub.run(START),
      stage.hub.run({ type: "type", target: { selector: "input" }, text: "a@b.c" }),
    ]);
    expect(clicked).toMatchObject({ success: true, receipt: { text: { added: ["started"] } } });
    expect(typed).toMatchObject({ success: true, value: { value: "a@b.c" } });
    expect(loaded).toEqual(["sdk", "sdk-dom", "sdk-act"]);
    const { version } = before.value as { version: number };
    const since = await stage.hub.run({ type: "request_ui_tree", format: "text", since: version });
    expect(since.result).toContain("started");
    for (let i = 0; i < 2; i++)
      expect(await stage.hub.run({ type: "find", text: "Start" })).toMatchObject({ success: true });
    await stage.hub.run(START);
    expect(loaded).toEqual(["sdk", "sdk-dom", "sdk-act", "sdk-find"]);
  });

  test("an action whose part cannot be loaded does nothing, says so, and can be sent again", async () => {
    stage.hub.welcome = () => ({ lastSeq: 0, agents: 0 });
    await stage.page.route("**/sdk-act.js", (route) => route.abort());
    await stage.open(FORM, "");
    await stage.hub.waitFor("ui_tree");
    const keyed = { ...START, idempotencyKey: "start-1" };
    expect(await stage.hub.run(keyed)).toMatchObject({
      success: false,
      error: "internal",
      message: expect.stringMatching(/^click needs .*\/sdk-act\.js\. Nothing was done; .*send this again$/),
      details: { retry: true },
    });
    expect(await stage.hub.run({ type: "request_ui_tree", format: "text" })).toMatchObject({ success: true });
    expect(await out()).toBe("");
    await stage.page.unroute("**/sdk-act.js");
    expect(await stage.hub.run(keyed)).toMatchObject({ success: true });
    expect(await out()).toBe("started");
  });

  test("an action that is cancelled or times out while its part is loaded is not done", async () => {
    stage.hub.welcome = () => ({ lastSeq: 0, agents: 0 });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = false;
    await stage.page.route("**/sdk-act.js", async (route) => {
      asked = true;
      await held;
      await route.continue();
    });
    await stage.open(FORM, "");
    await stage.hub.waitFor("ui_tree");
    stage.hub.send({ origin: "agent", requestId: "c", ...START });
    await waitUntil(
      () => asked,
      () => "a request for the part",
    );
    const late = await stage.hub.run({ ...START, timeoutMs: 50 });
    expect(late).toMatchObject({ success: false, error: "timeout" });
    stage.hub.send({ origin: "agent", type: "cancel", requestId: "c" });
    const cancelled = await stage.hub.waitFor("command_result", ({ requestId }) => requestId === "c");
    expect(cancelled).toMatchObject({ success: false, error: "cancelled" });
    release();
    const next = await stage.hub.run({ type: "hover", target: { selector: "h1" } });
    expect(next).toMatchObject({ success: true });
    expect(await out()).toBe("");
  });
});
