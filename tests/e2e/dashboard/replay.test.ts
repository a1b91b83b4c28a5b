import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { WireClient } from "../../support/hub/wire-client.js";
import { openFromDisk, saveSharedFile } from "./shared-file.js";
import { dashboardStage, playDemo } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const shown = (page: Page): FrameLocator => page.frameLocator('iframe[title^="What the page show"]');

describe("the replay of an app with the SDK", () => {
  it("shows the page live, at the selected record, and in the recording", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, ready, token } = dashboard;
    const demo = await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await shown(page).getByText("Total 7.70 €").waitFor();
    // It looks like the page, so its style rules are there, too.
    const font = (scope: Page | FrameLocator): Promise<string> =>
      scope.locator("h1").evaluate((heading) => getComputedStyle(heading).fontSize);
    expect(await font(shown(page))).toBe(await font(demo));
    await demo.getByRole("button", { name: "Add Linden honey" }).click();
    await shown(page).getByText("1 × Linden honey").waitFor();
    await dashboard.act({ type: "click", target: { text: "Add Green tea" } });
    await shown(page).getByText("2 × Green tea").waitFor();
    // At the second of the two commands, the second tea was not there yet. Its row may come later than what it did.
    const filter = page.getByRole("searchbox", { name: "Filter records" });
    await filter.fill("Add Green tea");
    await page
      .getByRole("row", { name: /click "Add Green tea" by/ })
      .nth(1)
      .click();
    await shown(page).getByText("1 × Green tea").waitFor();
    await filter.fill("");
    await page.getByRole("button", { name: "Stop recording" }).click();
    const headers = { authorization: `Bearer ${token}` };
    const { recordings } = (await (await fetch(`${ready.hub}/v1/recordings`, { headers })).json()) as {
      recordings: { id: string }[];
    };
    await page.goto(`${ready.hub}/#recording=${recordings[0]?.id}`);
    // Only the rows that are in view exist.
    await page.getByRole("searchbox", { name: "Filter records" }).fill("Add Green tea");
    await page.getByRole("row", { name: /Corner shop connected/ }).waitFor({ state: "detached" });
    await page
      .getByRole("row", { name: /click "Add Green tea" by/ })
      .nth(1)
      .click();
    await shown(page).getByText("1 × Green tea").waitFor();
    expect(dashboard.problems).toEqual([]);

    // The file that is shared has the same replay, with the player beside its program.
    await page.getByRole("button", { name: "Share as a file" }).click();
    await page.getByText(/^of the page, [\d:]+ to [\d:]+, masked as it was recorded$/).waitFor();
    const {
      page: file,
      requested,
      problems,
      text,
    } = await openFromDisk(browser, await saveSharedFile(dashboard));
    expect(text.match(/'sha256-/g)).toHaveLength(3);
    expect(text).toMatch(/\{DebugBridgeReplayPlayer:/);
    await file.getByRole("searchbox", { name: "Filter records" }).fill("Add Green tea");
    await file.getByRole("row", { name: /Corner shop connected/ }).waitFor({ state: "detached" });
    await shown(file).getByText("2 × Green tea").waitFor();
    await file
      .getByRole("row", { name: /click "Add Green tea" by/ })
      .nth(1)
      .click();
    await shown(file).getByText("1 × Green tea").waitFor();
    expect(await font(shown(file))).toBe(await font(demo));
    expect(requested).toEqual([file.url().replace(/#.*/, "")]);
    expect(problems).toEqual([]);
  });

  it("masks what views mask, and is recorded only while somebody looks", async () => {
    const dashboard = await dashboardStage(browser, []);
    const { page, ready, token, open } = dashboard;
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "text/html").end(`<!doctype html><title>Private</title>
        <script src="${ready.hub}/sdk.js" data-session="private" data-redact=".salary"></script>
        <p data-bridge-mask>diary-secret</p><p class="salary">12345-secret</p><p id="later">later-secret</p>
        <input type="password" value="prefilled-secret"><input id="name" value="Ada">
        <p title="x" data-token="attribute-secret">Hello</p><div id="host"></div>
        <a href="/?access_token=link-secret">link</a>
        <script>document.getElementById("host").attachShadow({ mode: "open" }).innerHTML = "<b>in the shadow</b><i data-bridge-mask>shadow-secret</i>";</script>`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { page: app } = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const sent: string[] = [];
    const received: string[] = [];
    app.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => sent.push(String(payload)));
      socket.on("framereceived", ({ payload }) => received.push(String(payload)));
    });
    await app.reload();
    const replays = (): string[] => sent.filter((text) => text.includes('"page_replay"'));
    await page.getByRole("link", { name: "Private" }).waitFor();
    expect(replays()).toEqual([]);
    await page.getByRole("link", { name: "Private" }).click();
    await shown(page).getByText("in the shadow").waitFor();
    await app.evaluate(() => {
      document.getElementById("later")?.setAttribute("data-bridge-mask", "");
      const name = document.getElementById("name") as HTMLInputElement;
      name.value = "Grace";
      // As frameworks do: players never got this attribute, so it cannot go.
      name.setAttribute("value", "Grace");
    });
    await shown(page).locator("#later").getByText("•••").waitFor();
    await until(async () => (await shown(page).locator("#name").inputValue()) === "Grace");
    expect(replays().join("")).not.toMatch(/\\*"value\\*":null/);
    expect(await shown(page).locator("p").first().innerText()).toBe("•••");
    expect(replays().join("").replace("later-secret", "")).not.toMatch(/-secret/);
    await page.getByRole("link", { name: "Debug Bridge" }).first().click();
    // Nobody looks: the page is notified, and sends nothing.
    await until(() => received.some((text) => /"watch"/.test(text) && /"on":false/.test(text)));
    const before = replays().length;
    await app.evaluate(() => document.body.append("more"));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(replays().length).toBe(before);
    expect(token).not.toBe("");
    server.closeAllConnections();
    server.close();
  });

  it("does nothing that hostile events ask for", async () => {
    const dashboard = await dashboardStage(browser, []);
    const { page, ready } = dashboard;
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const evil = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const app = await WireClient.connect(ready.hub, { role: "app", sessionId: "evil" });
    app.send({
      type: "hello",
      protocolVersion: 1,
      url: "http://evil.test/",
      title: "Evil",
      userAgent: "x",
      instanceId: "i",
    });
    app.send({ type: "capabilities", protocolVersion: 1, capabilities: ["replay"] });
    let id = 10;
    const element = (tagName: string, attributes: object, childNodes: object[] = []): object => ({
      ...{ type: 2, id: id++, tagName, attributes, childNodes },
    });
    const attack = `${evil}/stolen`;
    const body = element("body", { onload: "parent.hacked=1" }, [
      element("script", { src: attack }, [{ type: 3, id: id++, textContent: "parent.hacked=1" }]),
      element("img", { src: attack, onerror: "parent.hacked=1", srcset: attack }),
      element("img", { src: "data:image/svg+xml,<svg onload='parent.hacked=1'>" }),
      element("iframe", { src: attack, srcdoc: "<script>parent.parent.hacked=1</script>" }),
      element("object", { data: attack }),
      element("link", {
        rel: "stylesheet",
        href: attack,
        _cssText: `@import "${attack}";p{background:url(${attack})}`,
      }),
      element("style", { _cssText: `p{background:\\75rl(${attack});color:rgb(1,2,3)}` }),
      element("p", { style: `background:url(${attack})` }, [
        { type: 3, id: id++, textContent: "still here" },
      ]),
      element("meta", { "http-equiv": "refresh", content: `0;url=${attack}` }),
      element("base", { href: evil }),
      element("form", { action: attack }, [element("button", { formaction: attack, autofocus: true })]),
      element("a", { href: "javascript:parent.hacked=1", ping: attack }),
      { ...element("script", {}), isSVG: true },
      { ...element("image", { href: attack, "xlink:href": attack }), isSVG: true },
      element("x y<z", { "a b": "1", "<": "2" }),
      { type: 99 },
    ]);
    const root = { type: 0, id: 1, childNodes: [element("html", {}, [body])] };
    const events: unknown[] = [
      { type: 4, data: { width: 1e9, height: -5, href: "javascript:1" }, timestamp: 1 },
      { type: 2, data: { node: root }, timestamp: 2 },
      {
        type: 3,
        data: { source: 0, adds: [{ parentId: 1, node: { type: 2, id: 2, tagName: "b" } }, null, 7] },
      },
      {
        type: 3,
        data: { source: 0, removes: [{ id: 1 }, "x"], texts: 5, attributes: [{ id: 10, attributes: null }] },
      },
      null,
      "text",
    ];
    // Deeper than a browser can draw.
    for (let depth = 0; depth < 2_000; depth++)
      events.push({
        type: 3,
        data: {
          source: 0,
          adds: [
            {
              parentId: depth === 0 ? 10 : 5_000 + depth - 1,
              node: { type: 2, id: 5_000 + depth, tagName: "div", attributes: {} },
            },
          ],
        },
        timestamp: 3,
      });
    await page.getByRole("link", { name: "Evil" }).click();
    await app.next("watch");
    app.send({ type: "page_replay", events: "not json", isStart: true });
    app.send({ type: "page_replay", events: JSON.stringify(events), isStart: true });
    await shown(page).getByText("still here").waitFor();
    await page.waitForTimeout(1_000);
    expect(asked).toEqual([]);
    expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
    expect(await shown(page).locator("script, iframe, object, base, meta, [onload], [onerror]").count()).toBe(
      0,
    );
    expect(page.url()).toContain("session=evil");
    server.close();
  });
});
