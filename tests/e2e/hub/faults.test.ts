import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ROOT, startUp, until } from "../../fixtures.js";
import { closePages, launchChromium, sharedChromium } from "../../support/chrome/chromium.js";
import { auditText } from "../../support/hub/audit.js";
import { WireClient } from "../../support/hub/wire-client.js";
import { ofType, servePage, stage } from "./stage.js";

const PAGE = `<!doctype html><html><head><title>Faults</title>SDK</head><body><button onclick="console.log('clicked')">Go</button><div id="box"></div></body></html>`;

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

describe("when the hub is killed and started again", () => {
  it("the page reconnects, resends what the new hub has not seen, and commands work [ARC-039]", async () => {
    const first = await stage(browser);
    const port = new URL(first.ready.hub).port;
    const url = await servePage(PAGE, first.ready.hub);
    const { page } = await first.open(url);
    const before = await first.agent("page");
    await before.next("ui_tree");
    await page.evaluate(() => console.log("before the fall"));
    await before.next("console");
    await first.kill();
    await page.evaluate(() => console.warn("while the hub was gone"));
    const { ready } = await startUp(["--port", port], first.home);
    expect(ready.hub).toBe(first.ready.hub);
    const after = await WireClient.connect(ready.hub, {
      role: "agent",
      sessionId: "page",
      token: first.token,
      query: { since: "0" },
    });
    await after.next("console", ({ data }) => JSON.stringify(data).includes("while the hub was gone"));
    const lines = ofType(after.received, "console").map(({ data }) => (data as { args: string[] }).args[0]);
    expect(lines).toEqual(["before the fall", "while the hub was gone"]);
    expect(await after.command({ type: "click", target: { text: "Go" } })).toMatchObject({ success: true });
  });

  it("what the page could not keep is reported in a gap [ARC-007]", async () => {
    const first = await stage(browser);
    const port = new URL(first.ready.hub).port;
    const { page } = await first.open(await servePage(PAGE, first.ready.hub));
    const before = await first.agent("page");
    await before.next("ui_tree");
    await first.kill();
    await page.evaluate(() => {
      for (let i = 0; i < 20_000; i++) console.log(`line ${i} ${"x".repeat(200)}`);
      console.log("the last one");
    });
    const { ready } = await startUp(["--port", port], first.home);
    const after = await WireClient.connect(ready.hub, {
      role: "agent",
      sessionId: "page",
      token: first.token,
      query: { since: "0" },
    });
    await after.next("console", ({ data }) => JSON.stringify(data).includes("the last one"));
    const gap = await after.next("gap");
    expect((gap.data as { dropped: number }).dropped).toBeGreaterThan(1_000);
  });
});

describe("when a socket is cut in the middle of a command", () => {
  it("by a page that reloads, the agent gets an answer or outcome unknown, never silence [ARC-059]", async () => {
    const { ready, agent: connect, open } = await stage(browser);
    const { page } = await open(await servePage(PAGE, ready.hub, 'data-session="page" data-eval="true"'));
    const agent = await connect("page");
    await agent.next("ui_tree");
    agent.send({ type: "evaluate", code: "new Promise(() => {})", requestId: "stuck" });
    await until(() => agent.received.length > 0);
    await page.reload();
    expect(await agent.next("command_result", ({ requestId }) => requestId === "stuck")).toMatchObject({
      success: false,
      error: "outcome_unknown",
      outcome: "unknown",
    });
    await until(
      async () => (await agent.command({ type: "click", target: { text: "Go" } })).success === true,
    );
  });
});

describe("an app that floods", () => {
  it("keeps working, the hub keeps working, and what was dropped is reported [ARC-038]", async () => {
    const { ready, agent: connect, open } = await stage(browser);
    const { page } = await open(await servePage(PAGE, ready.hub));
    const agent = await connect("page");
    await agent.next("ui_tree");
    const done = await page.evaluate(async () => {
      const box = document.getElementById("box") as HTMLElement;
      let mutations = 0;
      const end = performance.now() + 1_500;
      while (performance.now() < end || mutations <= 100_000) {
        for (let i = 0; i < 5_000; i++) {
          box.setAttribute(`data-a${i % 50}`, String(mutations++));
          if (i % 10 === 0) box.append(document.createElement("i"));
        }
        box.replaceChildren();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      console.log("flood over");
      return mutations;
    });
    expect(done).toBeGreaterThan(100_000);
    await agent.next("console", ({ args }) => String(args).includes("flood over"));
    expect(await agent.command({ type: "click", target: { text: "Go" } })).toMatchObject({ success: true });
    const bytes = agent.frames.reduce((sum, frame) => sum + frame.length, 0);
    expect(bytes).toBeLessThan(20_000_000);
  });
});

describe("a page from elsewhere", () => {
  /** A Chromium for which these names are this machine, as after DNS rebinding. */
  const launchRebound = (): Promise<Browser> =>
    launchChromium(["--host-resolver-rules=MAP evil.example 127.0.0.1, MAP rebound.example 127.0.0.1"]);

  /** The page has its own copy of the SDK: the hub does not send it to pages from elsewhere. */
  const serveSdk = async (rebound: Browser): Promise<void> => {
    const path = join(ROOT, "packages/browser/dist/sdk.js");
    for (const context of rebound.contexts())
      await context.route("**/sdk.js", (route) => route.fulfill({ path, contentType: "text/javascript" }));
  };

  it("is refused, keeps working itself, and is in the audit log [ARC-064]", async () => {
    const rebound = await launchRebound();
    onTestFinished(() => rebound.close());
    const { ready, home, open } = await stage(rebound);
    await serveSdk(rebound);
    const url = await servePage(PAGE, ready.hub, 'data-session="evil" data-allow-production="true"');
    const { page } = await open(url.replace("127.0.0.1", "evil.example"));
    await until(() => auditText(home).includes("forbidden_origin"));
    expect(auditText(home)).toContain("http://evil.example");
    await page.click("text=Go");
    expect(await (await fetch(`${ready.hub}/healthz`)).json()).toMatchObject({ sessions: 0 });
  });

  it("does not connect at all if it is not a development page and nobody allowed it [APP-080]", async () => {
    const rebound = await launchRebound();
    onTestFinished(() => rebound.close());
    const { ready, open } = await stage(rebound);
    await serveSdk(rebound);
    const url = await servePage(PAGE, ready.hub);
    const { page, sent } = await open(url.replace("127.0.0.1", "evil.example"));
    await page.click("text=Go");
    expect(await page.evaluate(() => typeof (globalThis as { DebugBridge?: unknown }).DebugBridge)).toBe(
      "object",
    );
    expect(sent).toEqual([]);
  });

  it("gets nothing from the hub by DNS rebinding [ARC-063]", async () => {
    const rebound = await launchRebound();
    onTestFinished(() => rebound.close());
    const { ready, open, token } = await stage(rebound, ["--auth", "none"]);
    const { page } = await open(ready.hub.replace("127.0.0.1", "rebound.example"));
    expect(await page.textContent("body")).toContain("forbidden_host");
    const answers = await page.evaluate(async (secret) => {
      const statuses: unknown[] = [];
      for (const path of ["/v1/sessions", "/healthz", "/sdk.js", `/v1/sessions?token=${secret}`]) {
        statuses.push((await fetch(path)).status);
      }
      const socket = new WebSocket(`ws://${location.host}/debug?role=agent&sessionId=s&token=${secret}`);
      statuses.push(
        await new Promise((resolve) => {
          socket.onopen = () => resolve("open");
          socket.onerror = () => resolve("refused");
        }),
      );
      return statuses;
    }, token);
    expect(answers).toEqual([403, 403, 403, 403, "refused"]);
  });
});
