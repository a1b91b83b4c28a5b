import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import type { WireMessage } from "../../support/hub/wire-client.js";
import { ofType, servePage, stage } from "./stage.js";

const PAGE = `<!doctype html><html><head><title>First</title>SDK</head><body>
  <button data-testid="start" onclick="document.querySelector('#out').textContent = 'started'; console.log('started', {at: 1})">Start</button>
  <a href="#there">There</a>
  <input name="email" aria-label="E-mail" />
  <button disabled>Never</button>
  <p id="out">waiting</p>
</body></html>`;

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

describe("a peer that knows only the first protocol", () => {
  it("sees and drives an app through a hub in open mode [APP-006…011, APP-031…039, APP-054, APP-076…078, ARC-012]", async () => {
    const { ready, agent: connect, open } = await stage(browser, ["--auth", "none"]);
    const url = await servePage(
      PAGE,
      ready.hub,
      'data-session="first" data-eval="true" data-app-name="First app"',
    );
    const agent = await connect("first", { token: "" });
    await open(url);

    const hello = await agent.next("hello");
    expect(hello).toMatchObject({
      sessionId: "first",
      origin: "app",
      appName: "First app",
      url,
      protocolVersion: 1,
    });
    expect(typeof hello.timestamp).toBe("number");
    expect(hello.userAgent).toContain("Chrome");
    const capabilities = await agent.next("capabilities");
    expect(capabilities.capabilities).toEqual(
      expect.arrayContaining(["dom_snapshot", "dom_mutations", "ui_tree", "console", "errors", "eval"]),
    );
    const snapshot = await agent.next("dom_snapshot");
    expect(snapshot.html).toContain('data-testid="start"');
    const tree = (await agent.next("ui_tree")) as WireMessage & { items: Record<string, unknown>[] };
    expect(tree.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: "start",
          role: "button",
          text: "Start",
          disabled: false,
          visible: true,
        }),
        expect.objectContaining({ role: "link", text: "There" }),
        expect.objectContaining({ text: "Never", disabled: true }),
      ]),
    );
    const types = agent.received.filter(({ origin }) => origin === "app").map(({ type }) => type);
    expect(types.indexOf("hello")).toBeLessThan(types.indexOf("capabilities"));
    expect(types.indexOf("capabilities")).toBeLessThan(
      Math.min(types.indexOf("dom_snapshot"), types.indexOf("ui_tree")),
    );

    agent.send({ type: "click", target: { id: "start" } });
    expect(await agent.next("command_result")).toMatchObject({ requestType: "click", success: true });
    const { mutations } = (await agent.next("dom_mutations", ({ mutations: list }) =>
      JSON.stringify(list).includes("started"),
    )) as unknown as {
      mutations: { mutationType: string; targetSelector: string }[];
    };
    expect(mutations[0]).toMatchObject({
      mutationType: expect.any(String),
      targetSelector: expect.any(String),
    });
    expect(await agent.next("console")).toMatchObject({
      level: "log",
      args: ["started", expect.stringContaining("at")],
    });

    const email = tree.items.find(({ meta }) => (meta as { name?: string })?.name === "email");
    agent.send({ type: "type", target: { id: email?.id }, text: "ada@example.com" });
    expect(await agent.next("command_result", ({ requestType }) => requestType === "type")).toMatchObject({
      success: true,
    });
    agent.send({ type: "type", target: { selector: "[name=email]" }, text: "x", clear: true });
    await until(
      () =>
        ofType(agent.received, "command_result").filter(({ requestType }) => requestType === "type")
          .length === 2,
    );
    agent.send({ type: "evaluate", code: "document.querySelector('[name=email]').value", requestId: "e1" });
    expect(await agent.next("command_result", ({ requestId }) => requestId === "e1")).toMatchObject({
      success: true,
      result: expect.stringContaining("x"),
    });
    agent.send({ type: "evaluate", code: "(() => { throw new Error('boom') })()", requestId: "e2" });
    expect(await agent.next("command_result", ({ requestId }) => requestId === "e2")).toMatchObject({
      success: false,
      error: expect.any(String),
    });
    agent.send({ type: "click", target: { text: "Nowhere" } });
    expect(
      await agent.next(
        "command_result",
        ({ success, requestType }) => requestType === "click" && success === false,
      ),
    ).toMatchObject({ error: "target_not_found" });

    const before = ofType(agent.received, "ui_tree").length;
    agent.send({ type: "request_ui_tree" });
    await agent.next("command_result", ({ requestType }) => requestType === "request_ui_tree");
    expect(ofType(agent.received, "ui_tree").length).toBeGreaterThan(before);
    agent.send({ type: "request_dom_snapshot" });
    await agent.next("command_result", ({ requestType }) => requestType === "request_dom_snapshot");
    expect(ofType(agent.received, "dom_snapshot").at(-1)?.html).toContain("started");
    agent.send({ type: "navigate", url: `${url}#next` });
    expect(await agent.next("command_result", ({ requestType }) => requestType === "navigate")).toMatchObject(
      { success: true },
    );
    expect(ofType(agent.received, "ui_tree_delta")).toEqual([]);
  });

  it("gets changed trees whole, at most two a second, and none when nothing changes [APP-084]", async () => {
    const { ready, agent: connect, open } = await stage(browser, ["--auth", "none"]);
    const agent = await connect("page", { token: "" });
    const { page } = await open(await servePage(PAGE, ready.hub));
    await agent.next("ui_tree");
    const tookMs = await page.evaluate(async () => {
      const startedAt = performance.now();
      for (let i = 0; i < 30; i++) {
        const button = document.createElement("button");
        button.textContent = `Button ${i}`;
        document.body.append(button);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return performance.now() - startedAt;
    });
    await agent.next("ui_tree", ({ items }) => JSON.stringify(items).includes("Button 29"));
    const trees = ofType(agent.received, "ui_tree") as (WireMessage & { timestamp: number })[];
    expect(trees.length).toBeLessThanOrEqual(3 + tookMs / 500);
    const gaps = trees.slice(2).map(({ timestamp }, i) => timestamp - (trees[i + 1]?.timestamp ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(450);
  });

  it("gets a large snapshot whole, though it travels in chunks [RUN-112]", async () => {
    const { ready, agent: connect, open } = await stage(browser, ["--auth", "none"]);
    const agent = await connect("page", { token: "" });
    const long = `<p>${"all work and no play ".repeat(30_000)}the end</p>`;
    const { sent } = await open(await servePage(PAGE.replace("</body>", `${long}</body>`), ready.hub));
    const firstChunk = (): number => sent.findIndex((frame) => frame.startsWith('{"type":"chunk"'));
    // The first ones may have come before the page was read to its end, or before the hub's welcome said that it joins chunks.
    const html = await until(async () => {
      agent.send({ type: "request_dom_snapshot" });
      const text = String((await agent.next("dom_snapshot")).html);
      return text.includes("the end") && firstChunk() >= 0 && text;
    });
    expect(html.length).toBeGreaterThan(500_000);
    expect(Math.max(...sent.slice(firstChunk()).map((frame) => frame.length))).toBeLessThan(260_000);
  });

  it("learns that evaluation is off unless the app turned it on [APP-009, APP-049, APP-063]", async () => {
    const { ready, agent: connect, open } = await stage(browser, ["--auth", "none"]);
    const agent = await connect("page", { token: "" });
    await open(await servePage(PAGE, ready.hub));
    expect((await agent.next("capabilities")).capabilities).not.toContain("eval");
    agent.send({ type: "evaluate", code: "1" });
    expect(await agent.next("command_result")).toMatchObject({ success: false, error: "eval_disabled" });
  });
});
