import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { CLI, until } from "../../fixtures.js";
import { cli } from "../../support/agents/agents.js";
import { Stage } from "./stage.js";

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.startDirect({ pages: ["/", "/second"] });
});
afterAll(() => stage?.close());

/** The tab session of a page, and a client of the hub that uses it. */
async function sessionOf(path: string) {
  const client = stage.hub.connectClient({ name: "test" });
  const tab = await until(() => stage.hub.relay.tabs().find(({ url }) => url === stage.site.url(path)));
  return { client, id: `tab-${tab.tabId}` };
}

async function page(): Promise<{ context: BrowserContext; page: Page }> {
  const context = (await stage.playwright()).contexts()[0] as BrowserContext;
  const found = context.pages().find((each) => each.url() === stage.site.url("/")) as Page;
  return { context, page: found };
}

describe("a browser that the hub is connected to itself", () => {
  it("has its tabs as sessions, which can be looked at and used", async () => {
    const { client, id } = await sessionOf("/");
    const { value } = await client.command(id, { type: "find", text: "Greet" });
    expect(JSON.stringify(value)).toContain("Greet");
    const { receipt } = await client.command(id, { type: "click", target: { text: "Count" } });
    expect(JSON.stringify(receipt)).toContain("Clicked 1");
  });

  it("serves Playwright through the relay: pages, frames, popups, downloads, cookies", async () => {
    const { context, page: home } = await page();
    await home.getByLabel("Name").fill("Ann");
    await home.getByRole("button", { name: "Greet" }).click();
    expect(await home.locator("#out").textContent()).toBe("Hello Ann");
    const [popup] = await Promise.all([home.waitForEvent("popup"), home.click("text=Open popup")]);
    await popup.waitForLoadState();
    expect(await popup.title()).toBe("Popup");
    await popup.close();
    const [download] = await Promise.all([home.waitForEvent("download"), home.click("text=Download")]);
    expect(readFileSync(await download.path(), "utf8").length).toBeGreaterThan(0);
    const fresh = await context.newPage();
    await fresh.goto(stage.site.url("/frames"));
    const far = await until(() => fresh.frames().find((frame) => frame.name() === "far"));
    expect(await far.locator("#text").textContent()).toBe("Inside localhost");
    await context.addCookies([{ name: "direct", value: "1", url: stage.site.url("/") }]);
    expect((await context.cookies()).map(({ name }) => name)).toContain("direct");
    await fresh.close();
    await stage.disconnect();
  });

  it("offers no pages of the browser itself, and opens none", async () => {
    await stage.person.open("chrome://version");
    const { context, page: home } = await page();
    const urls = () => stage.hub.relay.tabs().map(({ url }) => url);
    await until(() => urls().length >= 2);
    expect(urls().filter((url) => url.startsWith("chrome:"))).toEqual([]);
    await expect(home.goto("chrome://settings")).rejects.toThrow(/the browser itself/);
    const cdp = await context.browser()?.newBrowserCDPSession();
    await expect(cdp?.send("Target.createTarget", { url: "chrome://settings" })).rejects.toThrow(/itself/);
    await expect(cdp?.send("Browser.close")).rejects.toThrow();
    expect(await home.title()).toBe("Home");
    await stage.disconnect();
  });

  it("offers no private windows", async () => {
    const apart = await (await stage.direct()).newContext();
    const hidden = await apart.newPage();
    await hidden.goto(stage.site.url("/popup"));
    const seen = await stage.person.open(stage.site.url("/dialogs"));
    const urls = (): string[] => stage.hub.relay.tabs().map(({ url }) => url);
    await until(() => urls().includes(stage.site.url("/dialogs")));
    expect(urls()).not.toContain(stage.site.url("/popup"));
    await fetch(`${stage.person.endpoint}/json/close/${seen}`);
    await apart.close();
    await stage.disconnect();
  });

  it("survives a page whose title is longer than a message may be", async () => {
    const { page: home } = await page();
    await home.evaluate("document.title = 'x'.repeat(1_000_000)");
    expect(await home.textContent("h1")).toBe("Home");
    expect((await stage.health()).tabs).toBeGreaterThan(0);
    await home.reload();
    await stage.disconnect();
  });

  it("takes no extension beside it", async () => {
    const socket = new WebSocket(`${stage.hub.relayUrl}/extension?instance=x`);
    const status = await new Promise((resolve) => {
      socket.on("unexpected-response", (_request, { statusCode }) => resolve(statusCode));
      socket.on("error", () => {});
    });
    expect(status).toBe(409);
  });

  it("is found by --chrome auto in the profile of the person, and again after it was closed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "debug-bridge-auto-"));
    const [home, config] = [join(folder, "home"), join(folder, "config")];
    mkdirSync(config);
    symlinkSync(stage.person.profile, join(config, "chromium"));
    const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
    const hub = spawn(process.execPath, [CLI, "up", "--home", home, "--chrome", "auto", ...ports], {
      env: { ...process.env, XDG_CONFIG_HOME: config, HOME: folder },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    hub.stderr.on("data", (data) => {
      output += data;
    });
    try {
      const tabs = async (): Promise<string> => (await cli(home, "sessions")).stdout;
      await until(async () => (await tabs()).includes("/second"));
      expect(output).toMatch(/^Connected to .*Chrome\/\d+/);
      await stage.person.kill();
      await until(() => output.includes("Waiting for a browser"));
      expect(output).toContain("chrome://inspect/#remote-debugging");
      await stage.person.restart(stage.site.url("/popup"));
      await until(async () => (await tabs()).includes("/popup"));
    } finally {
      hub.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
