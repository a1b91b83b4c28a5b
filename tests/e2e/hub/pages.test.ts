import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startUp } from "../../fixtures.js";
import { launchChromium } from "../page/browser.js";
import { stage } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

describe("the hub's own page", () => {
  it("shows what is connected and its latest events as they happen, and removes the token from the address [ARC-091]", async () => {
    const { ready, token, agent, open } = await stage(browser, ["--demo"]);
    const { page } = await open(`${ready.hub}/#token=${token}`);
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByText("Nothing is connected yet").waitFor();
    expect(page.url()).toBe(`${ready.hub}/`);
    const { page: demo } = await open(ready.demo as string);
    await page.getByRole("button", { name: /Corner shop/ }).waitFor();
    await demo.getByRole("button", { name: "Add Rye bread" }).click();
    await page.getByText("basket: bread 1").waitFor();
    const hunter = await agent("demo", { query: { name: "hunter" } });
    await page.getByText("1 app · 1 agent").waitFor();
    await hunter.command({ type: "click", target: { text: "Apply" } });
    await page.getByText(/click done: .*GET \/demo\/api\/coupons\/ 404/).waitFor();
    await page.getByRole("searchbox", { name: "Filter events" }).fill("bread");
    await page.getByText("basket: bread 1").waitFor();
    expect(await page.getByText(/click done/).count()).toBe(0);
    await demo.close();
    await page.getByRole("img", { name: "gone" }).waitFor();
  });

  it("explains what to do without the token, and shows nothing", async () => {
    const { ready, open } = await stage(browser, ["--demo"]);
    const { page } = await open(`${ready.hub}/`);
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("#token=");
  });

  it("comes back when the hub does", async () => {
    const { ready, token, home, kill, open } = await stage(browser);
    const { page } = await open(`${ready.hub}/#token=${token}`);
    await page.getByText("live", { exact: true }).waitFor();
    await kill();
    await page.getByText("hub not reachable, trying again…").waitFor();
    await startUp(["--port", new URL(ready.hub).port], home);
    await page.getByText("live", { exact: true }).waitFor();
  });
});

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
