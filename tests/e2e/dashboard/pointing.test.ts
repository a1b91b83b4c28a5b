import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { AllKinds, type Kind } from "../kinds/all-kinds.js";
import { dashboardStage, playDemo } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const overlay = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelectorAll("debug-bridge-overlay").length);

describe("pointing at elements of the live page from the dashboard", () => {
  it("marks what the pointer is over, in the page only, and lets a person pick an element there", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, ready, token } = dashboard;
    const demo = await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    const outline = page.getByRole("region", { name: "What can be read and used" });
    const line = outline.locator("div").filter({ hasText: 'button "Add Linden honey"' });
    await line.getByRole("button").hover();
    await until(async () => (await overlay(demo)) === 1);
    // Nothing that is reported of the page has it.
    const response = await fetch(`${ready.hub}/v1/sessions/demo/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.text()).not.toContain("debug-bridge-overlay");
    await page.getByText("Records", { exact: true }).first().hover();
    await until(async () => (await overlay(demo)) === 0);

    await page.getByRole("button", { name: "Pick an element" }).click();
    await page.getByText("Click an element in the page itself").waitFor();
    await until(async () => {
      await demo.mouse.move(1, 1);
      await demo.getByRole("button", { name: "Add Linden honey" }).hover();
      return (await overlay(demo)) === 1;
    });
    await demo.getByRole("button", { name: "Add Linden honey" }).click();
    const picked = page.getByRole("region", { name: "Picked element" });
    await picked.getByText('button "Add Linden honey"').waitFor();
    expect(await picked.getByText(/^e\d+/).count()).toBe(1);
    await picked.getByRole("button", { name: "Copy the selector" }).waitFor();
    // The click chose the element, and did nothing else.
    expect(await demo.getByText("1 × Linden honey").count()).toBe(0);
    expect(await overlay(demo)).toBe(0);

    await page.getByRole("button", { name: "Pick an element" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Pick an element" }).waitFor();
    await until(async () => {
      await demo.getByRole("button", { name: "Add Linden honey" }).click();
      return (await demo.getByText(/× Linden honey/).count()) === 1;
    });
  });

  it("works in tabs and launched Chromes, for the hub's own pages only", async () => {
    const kinds = await AllKinds.start({}, ["tab", "browser"]);
    const post = (kind: Kind, path: string, body = ""): Promise<Response> =>
      fetch(`${kinds.hub.url}/v1/sessions/${kinds.ids[kind]}/${path}`, {
        method: "POST",
        body,
        headers: { authorization: `Bearer ${kinds.hub.token}` },
      });
    const count = (kind: Kind): Promise<unknown> =>
      kinds.clients[kind]
        .act({ type: "evaluate", code: "document.querySelectorAll('debug-bridge-overlay').length" })
        .then(({ value }) => value);
    try {
      for (const kind of ["tab", "browser"] as const) {
        const { text } = await kinds.clients[kind].observe();
        const [ref = ""] = /\be\d+(?= button)/.exec(text) ?? [];
        expect((await post(kind, "highlight", JSON.stringify({ target: { ref } }))).status).toBe(200);
        expect(await count(kind)).toBe(1);
        expect((await post(kind, "highlight")).status).toBe(200);
        expect(await count(kind)).toBe(0);
        expect((await post(kind, "highlight", '{"target":{"ref":"e999999"}}')).status).not.toBe(200);
        const picking = post(kind, "pick");
        await until(async () => {
          await kinds.clients[kind].act({ type: "hover", target: { ref } });
          return (await count(kind)) === 1;
        });
        await kinds.clients[kind].act({ type: "click", target: { ref } });
        expect(await (await picking).json()).toMatchObject({ picked: true, ref, role: "button" });
        await expect(kinds.clients[kind].act({ type: "highlight" })).rejects.toThrow(
          "only the hub sends highlight",
        );
      }
    } finally {
      await kinds.close();
    }
  });
});
