import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { servePage, stage } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

describe("the demo", () => {
  it("reports every step to agents, and no frame contains the password that a person typed [ARC-072, ARC-091]", async () => {
    const { ready, agent: connect, open } = await stage(browser, ["--demo"]);
    const agent = await connect("demo");
    const { page, sent } = await open(ready.demo as string);
    await agent.next("ui_tree");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByRole("button", { name: "Sign in" }).click();
    await agent.next("dom_mutations", ({ mutations }) =>
      JSON.stringify(mutations).includes("Welcome, ada@example.com"),
    );
    await agent.command({ type: "request_dom_snapshot" });
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.join("\n")).not.toContain("correct horse");
  });
});

describe("what the hub refuses of a page", () => {
  it("is shown in the page's console: state without a scope [APP-096]", async () => {
    const { ready, agent, open } = await stage(browser);
    const reader = await agent("page");
    const { page } = await open(await servePage("<!doctype html><head>SDK</head><body>Hi</body>", ready.hub));
    await reader.next("hello");
    const warned = page.waitForEvent("console", (line) => line.text().startsWith("debug-bridge: scope"));
    await page.evaluate(
      `DebugBridge.bridge.sendCustomState("", 1); DebugBridge.bridge.sendCustomState("cart", 2)`,
    );
    expect((await warned).type()).toBe("warning");
    expect(await reader.next("state_update")).toMatchObject({ scope: "cart", state: 2 });
  });
});
