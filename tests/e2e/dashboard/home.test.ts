import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startUp } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { stage } from "../hub/stage.js";
import { dashboardStage, playDemo } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

describe("the first page of the dashboard", () => {
  it("asks for the token without one, says when it is wrong, and takes the whole address", async () => {
    const { ready, token, open } = await stage(browser, []);
    const { page } = await open(`${ready.hub}/`);
    await page.getByRole("heading", { name: "This page needs the hub's token" }).waitFor();
    const field = page.getByLabel("Token or address");
    await field.fill("wrong");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("The hub said: the token is wrong").waitFor();
    await field.fill(`${ready.hub}/#token=${token}`);
    await field.press("Enter");
    await page.getByText("live", { exact: true }).waitFor();
    expect(page.url()).not.toContain("token");
  });

  it("takes the token from the address once, and has a policy that runs nothing else", async () => {
    const { page, ready, problems } = await dashboardStage(browser);
    await page.getByText("live", { exact: true }).waitFor();
    expect(page.url()).toBe(`${ready.hub}/`);
    const policy = (await fetch(ready.hub)).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';");
    expect(policy).not.toContain("unsafe");
    await page.reload();
    await page.getByText("live", { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it("teaches how to connect with exact lines, and shows that it worked", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, ready } = dashboard;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: ready.hub });
    await page.getByRole("heading", { name: "Nothing is connected yet" }).waitFor();
    await page.getByRole("button", { name: "Copy the line for my app" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`<script src="${ready.hub}/sdk.js"></script>`);
    const light = page.getByRole("listitem").filter({ hasText: "My app" }).getByRole("status").last();
    await light.filter({ hasText: "waiting" }).waitFor();
    await playDemo(dashboard);
    await light.filter({ hasText: "connected" }).waitFor();
  });

  it("shows each session with its errors, and ended ones apart", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, agent } = dashboard;
    const demo = await playDemo(dashboard);
    const live = page.getByRole("region", { name: "Live sessions" });
    const card = live.getByRole("listitem").filter({ hasText: "Corner shop" });
    await card.getByText("2 errors").waitFor();
    const hunter = await agent("demo", { query: { name: "hunter" } });
    await hunter.command({ type: "acquire_lease", owner: "hunter" });
    await card.getByText("held by hunter").waitFor();
    await card.getByText("1 agent", { exact: true }).waitFor();
    hunter.socket.terminate();
    await demo.close();
    await page.getByRole("region", { name: "Ended" }).getByText("Corner shop").waitFor();
    expect(await live.count()).toBe(0);
    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByText("Nothing is called “nothing like it”.").waitFor();
  });

  it("lists what was recorded, and opens it after the session has ended", async () => {
    const dashboard = await dashboardStage(browser);
    const { page } = dashboard;
    const demo = await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByRole("button", { name: "Stop recording" }).waitFor();
    await demo.evaluate(() => console.log("on disk"));
    await page.getByRole("row", { name: /on disk/ }).waitFor();
    await page.getByRole("button", { name: "Stop recording" }).click();
    await page.getByRole("button", { name: "Record", exact: true }).waitFor();
    await demo.close();
    await page.getByRole("link", { name: "Debug Bridge" }).click();
    await page.getByRole("table").getByRole("link", { name: "demo" }).click();
    await page.getByRole("row", { name: /on disk/ }).waitFor();
    await page
      .getByRole("row", { name: /click "Apply"/ })
      .getByText("1 request, 2 errors")
      .waitFor();
  });

  it("keeps what it shows while the hub is lost, and comes back when the hub does", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, ready, home, kill } = dashboard;
    await playDemo(dashboard);
    await page.getByText("2 errors").waitFor();
    await kill();
    await page.getByText(/The hub is not reachable since \d/).waitFor();
    expect(await page.getByText("Corner shop").count()).toBe(1);
    await startUp(["--port", new URL(ready.hub).port], home);
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByText(/not reachable/).waitFor({ state: "detached" });
  });
});
