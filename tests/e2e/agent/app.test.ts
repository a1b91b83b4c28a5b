import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { busyTurns, cli, startAgent } from "../../support/agents/agents.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { servePage, stage } from "../hub/stage.js";

const SHOP = `<!doctype html><title>Shop</title>SDK<body><button id="pay">Pay</button><p id="state">open</p><script>
  document.querySelector("#pay").onclick = async () => {
    await fetch("/api/orders?fail", { method: "POST", body: "{}" });
    console.error("card declined");
    document.querySelector("#state").textContent = "declined";
  };</script>`;

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

describe("an agent and an app in a real browser", () => {
  it("the agent stops when the app sends POST /orders, and when it logs an error", async () => {
    const { ready, home, open } = await stage(browser);
    const { page } = await open(await servePage(SHOP, ready.hub));
    const agent = await startAgent(home, busyTurns(100_000));
    const on = (...args: string[]): ReturnType<typeof cli> =>
      cli(home, "agent", "breakpoint", "add", "event", ...args);
    await on(
      "network",
      "--event-session",
      "page",
      "--regex",
      "/orders",
      "--condition",
      'data.method == "POST"',
      "--once",
    );
    await on("console", "--event-session", "page", "--condition", 'data.level == "error"');
    await page.getByRole("button", { name: "Pay" }).click();
    const first = await agent.seen("breakpoint_hit", 1);
    expect(first.data).toMatchObject({ event: "network", data: { method: "POST", phase: "request" } });
    await agent.seen("paused");
    await page.getByText("declined").waitFor();
    await cli(home, "agent", "resume");
    await page.getByRole("button", { name: "Pay" }).click();
    const next = await until(() =>
      agent
        .events()
        .filter(({ type }) => type === "breakpoint_hit")
        .at(-1),
    );
    expect(next.data).toMatchObject({ session: "page" });
    await until(() =>
      agent.events().some(({ data }) => data.event === "console" && data.data.level === "error"),
    );
    await agent.seen("paused", 2);
  });

  it("the agent sees the app, acts in it and reads what it logged, with the bridge's own tools", async () => {
    const { ready, home, open } = await stage(browser);
    const { page } = await open(await servePage(SHOP, ready.hub));
    await page.getByText("open").waitFor();
    const turns = [
      { tool: "sessions" },
      { tool: "observe" },
      { tool: "act", input: { type: "click", target: { text: "Pay" } } },
      { tool: "logs", input: { errors: true } },
      { tool: "act", input: { type: "click", target: { text: "Refund" } } },
      { text: "The card was declined." },
    ];
    await until(async () => (await cli(home, "sessions", "--json")).stdout.includes('"page"'));
    const agent = await startAgent(home, turns);
    expect((await agent.finished).code).toBe(0);
    const results = agent.events().flatMap(({ type, data }) => (type === "tool_result" ? [data] : []));
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false, true]);
    expect(results[0].result).toContain("page app connected");
    expect(results[1].result).toContain('button "Pay"');
    expect(results[2].result).toContain("/api/orders");
    expect(results[3].result).toContain("card declined");
    expect(results[4].result).toContain("Refund");
    await page.getByText("declined").waitFor();
  });
});
