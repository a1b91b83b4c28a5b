import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { type DashboardStage, dashboardStage } from "./stage.js";

let browser: Browser;
let url: string;
const server = createServer((_request, response) =>
  response.setHeader("content-type", "text/html").end(PAGE),
);
beforeAll(async () => {
  browser = await sharedChromium();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await closePages();
  server.closeAllConnections();
  server.close();
});

/** Sends `browser_action`s to a launched Chrome. */
function launchedChrome({ ready, token }: DashboardStage): (instruction: string) => Promise<void> {
  return async (instruction) => {
    const response = await fetch(`${ready.hub}/v1/browser-action`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ instruction, sessionId: "shown" }),
    });
    expect(await response.json()).toMatchObject({ success: true });
  };
}

/** Whether the middle of a picture is green: the page is red before the click and green after it. */
function isGreen(picture: Locator): Promise<boolean> {
  return picture.evaluate(async (image: HTMLImageElement) => {
    // A live picture that is replaced while it is decoded cannot be decoded; the next one can.
    while (
      !(await image.decode().then(
        () => true,
        () => false,
      ))
    );
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const [red = 0, green = 0] = context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
    return green > red;
  });
}

const PAGE = `<!doctype html><title>Light</title><body style="background:rgb(200,0,0)"><button onclick="document.body.style.background='rgb(0,160,0)';console.info('turned green')">Turn</button>`;

describe("what a page looked like", () => {
  it("moves with the selected record, and is live when none is selected", async () => {
    const dashboard = await dashboardStage(browser, []);
    const { page, ready, token } = dashboard;
    const action = launchedChrome(dashboard);
    await action(`<type>start</type><url>${url}</url>`);
    const card = page.getByRole("listitem").filter({ has: page.getByText("browser", { exact: true }) });
    await card.getByRole("link").click();
    await page.getByRole("button", { name: "Record", exact: true }).click();
    const live = page.getByRole("img", { name: "What the page shows" });
    await live.waitFor();
    expect(await isGreen(live)).toBe(false);
    await page.getByText(/Live, changed at \d\d:\d\d:\d\d/).waitFor();
    await action("<type>click</type><targets>Turn</targets>");
    await until(() => isGreen(live));
    // The command is from before the page turned green, its console line from after.
    await page
      .getByRole("row", { name: /click e\d+/ })
      .first()
      .click();
    const past = page.getByRole("img", { name: "What the page showed" });
    await past.waitFor();
    expect(await isGreen(past)).toBe(false);
    const receipt = page.getByRole("region", { name: "Before and after" });
    const [before, after] = [
      receipt.getByRole("img", { name: "Before" }),
      receipt.getByRole("img", { name: "After" }),
    ];
    await until(() => isGreen(after));
    expect(await isGreen(before)).toBe(false);
    // The whole page changed, so the mark is around all of it.
    const mark = await receipt.getByTitle("This part changed").first().boundingBox();
    const whole = await before.boundingBox();
    expect(mark?.width).toBeGreaterThan((whole?.width ?? 0) * 0.9);
    await page.getByRole("row", { name: /turned green/ }).click();
    await page.getByText(/The page as of/).waitFor();
    await page.getByRole("button", { name: "Stop recording" }).click();
    await action("<type>stop</type>");

    const headers = { authorization: `Bearer ${token}` };
    const { recordings } = (await (await fetch(`${ready.hub}/v1/recordings`, { headers })).json()) as {
      recordings: { id: string; kind: string }[];
    };
    const [{ id } = { id: "" }] = recordings.filter(({ kind }) => kind === "browser");
    const frames = `${ready.hub}/v1/recordings/${id}/frames`;
    const { count, first, last } = (await (await fetch(frames, { headers })).json()) as Record<
      string,
      number
    >;
    expect(count).toBeGreaterThanOrEqual(2);
    const picture = await fetch(`${frames}?at=${(last ?? 0) - 1}`, { headers });
    expect(picture.headers.get("content-type")).toBe("image/jpeg");
    expect(Number(picture.headers.get("x-debug-bridge-at"))).toBeLessThan(last ?? 0);
    const early = await fetch(`${frames}?at=${(first ?? 0) - 1}`, { headers });
    expect(early.status).toBe(404);
    expect(await early.text()).toContain("no picture that early");
    const late = await fetch(`${frames}?at=${Date.now()}`, { headers });
    expect(await late.text()).toContain("no pictures were taken then");
    expect((await fetch(frames)).status).toBe(401);

    await page.goto(`${ready.hub}/#recording=${id}`);
    await page
      .getByRole("row", { name: /click e\d+/ })
      .first()
      .click();
    await until(async () => (await past.count()) === 1 && !(await isGreen(past)));
    await until(() => isGreen(after));
    expect(dashboard.problems).toEqual([]);
  });
});
