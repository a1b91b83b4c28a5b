import { createServer, type Server } from "node:net";
import { EXTENSION_ID, EXTENSION_ORIGIN } from "@debug-bridge/extension/id";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import { ExtensionBrowser } from "./extension-browser.js";
import { FakeHub, type HubBehaviour } from "./fake-hub.js";

let browser: ExtensionBrowser;

beforeAll(async () => {
  browser = await ExtensionBrowser.launch();
});
afterEach(() => browser.closePages());
afterAll(() => browser?.close());

async function connectedHub(behaviour: HubBehaviour = {}): Promise<FakeHub> {
  const hub = await FakeHub.start(behaviour);
  onTestFinished(() => hub.close());
  await browser.use(hub.address);
  await until(() => hub.messages.length > 0);
  return hub;
}

async function openPopup(): Promise<Page> {
  const page = await browser.context.newPage();
  await page.goto(`chrome-extension://${EXTENSION_ID}/popup.html`);
  return page;
}

const textOf = async (page: Page, id: string): Promise<string> =>
  (await page.locator(`#${id}`).textContent()) ?? "";

describe("the connection", () => {
  it("[CON-002, CON-046] is opened by the extension, which introduces itself first", async () => {
    const hub = await connectedHub();
    expect(hub.origins).toEqual([EXTENSION_ORIGIN]);
    expect(hub.messages[0]).toMatchObject({
      version: "1.0.0",
      type: "connection_status",
      payload: {
        status: "connected",
        clientInfo: {
          extensionVersion: "0.1.0",
          browser: expect.stringMatching(/Chrom/),
          browserVersion: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
        },
      },
    });
  });

  it("[CON-006, CON-007, CON-010] speaks version 1.0.0, in text frames of JSON, with ISO times", async () => {
    const hub = await connectedHub();
    await browser.run("console.log('größe 日本 🎉')");
    await hub.event("größe 日本 🎉");
    expect(hub.invalid).toEqual([]);
    for (const { version, timestamp } of hub.frames.flatMap((frame) => JSON.parse(frame))) {
      expect(version).toBe("1.0.0");
      expect(new Date(timestamp).toISOString()).toBe(timestamp);
    }
  });

  it("sends no event before the hub has replied", async () => {
    const hub = await connectedHub({ answer: () => undefined });
    await browser.run("console.log('patient')");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(hub.lines).toEqual([]);
    hub.send("connection_status", {
      status: "connected",
      clientInfo: { cliVersion: "0.1.0", platform: "linux" },
    });
    await hub.event("patient");
  });

  it("[CON-053] answers pings, and measures its own", async () => {
    const hub = await connectedHub();
    hub.send("ping", { id: "hub-1" });
    await until(() =>
      hub.messages.find((message) => message.type === "pong" && message.payload.id === "hub-1"),
    );
    const popup = await openPopup();
    await until(async () => /^\d+(\.\d)? ms$/.test(await textOf(popup, "latency")));
  });

  it("[CON-056] with a hub of version 0.9.0 or 2.0.0 shows what to update, and sends no events", async () => {
    for (const [version, advice] of [
      ["0.9.0", "update the debug-bridge command line"],
      ["2.0.0", "update the extension"],
    ] as const) {
      const refuses = await connectedHub({
        answer: () => ({
          version,
          type: "error",
          timestamp: new Date().toISOString(),
          payload: {
            code: "UNSUPPORTED_VERSION",
            message: "Protocol version 1.0.0 is not supported",
            details: { receivedVersion: "1.0.0", supportedVersions: [version] },
          },
        }),
      });
      await browser.run("console.log('unheard')");
      const popup = await openPopup();
      await until(async () => (await textOf(popup, "upgrade")).includes(advice));
      expect(await textOf(popup, "status")).toContain("Incompatible versions");
      const introduces = await connectedHub({ version });
      await until(() =>
        introduces.messages.find(
          (message) => message.type === "error" && message.payload.code === "UNSUPPORTED_VERSION",
        ),
      );
      await until(async () => (await textOf(popup, "upgrade")).includes(advice));
      expect([...refuses.lines, ...introduces.lines]).toEqual([]);
    }
  });

  it("[CON-059, CON-060, CON-061] continues after messages that it cannot read, and shows how many there were", async () => {
    const hub = await connectedHub();
    const worker = await browser.worker();
    const logged: string[] = [];
    worker.on("console", (message) => logged.push(message.text()));
    const popup = await openPopup();
    await until(async () => (await textOf(popup, "status")).includes("Connected"));
    const before = Number(await textOf(popup, "errors"));
    hub.socket?.send("no json");
    hub.send("surprise", {});
    hub.send("error", { code: "INVALID_MESSAGE", message: "payload.args: too long" });
    await until(async () => Number(await textOf(popup, "errors")) === before + 3);
    expect(await textOf(popup, "problem")).toContain("payload.args: too long");
    await until(() => logged.filter((text) => text.includes("Debug Bridge")).length >= 3);
    hub.send("ping", { id: "after" });
    await until(() =>
      hub.messages.find((message) => message.type === "pong" && message.payload.id === "after"),
    );
    await browser.run("console.log('goes on')");
    await hub.event("goes on");
  });
});

describe("the statuses of a connection", () => {
  it("[CON-044] are reconnecting with the reason after a loss, and disconnected before an intended close", async () => {
    const hub = await connectedHub();
    await until(() => hub.statuses.length === 1);
    const logged: string[] = [];
    (await browser.worker()).on("console", (message) => logged.push(message.text()));
    hub.socket?.close(1001, "the hub is shutting down");
    await until(() => hub.statuses.length === 3);
    expect(hub.statuses).toMatchObject([
      { status: "connected" },
      { status: "reconnecting", reason: expect.stringContaining("the hub is shutting down") },
      { status: "connected" },
    ]);
    await until(() => logged.some((text) => text.includes("the console connection ended")));
    const popup = await openPopup();
    await until(async () => (await textOf(popup, "ends")).includes("the hub is shutting down"));
    await connectedHub();
    await until(() => hub.statuses.length === 4);
    expect(hub.statuses.at(-1)).toMatchObject({
      status: "disconnected",
      reason: expect.stringContaining("address was changed"),
    });
  });
});

describe("without a hub", () => {
  it("[CON-057, CON-058] the extension tries after 1, 2, 4, 8 and 16 seconds, then shows an error, and tries again when asked", async () => {
    const attempts: number[] = [];
    const refusing: Server = createServer((socket) => {
      attempts.push(Date.now());
      socket.destroy();
    });
    await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void refusing.close());
    const { port } = refusing.address() as { port: number };
    const popup = await openPopup();
    await browser.use(`ws://127.0.0.1:${port}`);
    await until(async () => (await textOf(popup, "status")).includes("attempt 2 of 5"));
    await until(async () => (await textOf(popup, "status")).includes("No hub found"), 45_000);
    const gaps = attempts.slice(1).map((at, index) => (at - (attempts[index] as number)) / 1_000);
    expect(gaps.length).toBe(5);
    // A busy machine is late, but by less than a step.
    for (const [index, wanted] of [1, 2, 4, 8, 16].entries()) {
      expect(gaps[index]).toBeGreaterThan(wanted - 0.5);
      expect(gaps[index]).toBeLessThan(Math.max(wanted * 1.9, wanted + 3));
    }
    expect(await textOf(popup, "problem")).toContain(`No hub answers at ws://127.0.0.1:${port}`);

    await popup.locator("#retry").focus();
    await popup.keyboard.press("Enter");
    await until(() => attempts.length === 7);
  });
});

describe("the popup", () => {
  it("shows captured tabs, and changes the hub by keyboard", async () => {
    const hub = await connectedHub();
    await browser.open(browser.serve("/shown", "console.log('shown')"));
    await hub.event("shown");
    const popup = await openPopup();
    await until(async () => (await textOf(popup, "tabs")).includes("Test /shown"));
    expect(await popup.locator("#address").inputValue()).toBe("ws://127.0.0.1");
    expect(await popup.locator("#console-port").inputValue()).toBe(String(hub.port));
    const other = await FakeHub.start();
    onTestFinished(() => other.close());
    await popup.locator("summary", { hasText: "Settings" }).press("Enter");
    await popup.locator("#address").fill("http://nonsense");
    await popup.keyboard.press("Enter");
    await until(async () => (await textOf(popup, "hub-problem")).includes("ws://"));
    await popup.locator("#address").fill("127.0.0.1");
    await popup.locator("#console-port").fill(String(other.port));
    await popup.keyboard.press("Enter");
    await until(() => other.messages[0]?.type === "connection_status");
  });

  it("shows the address of config.json in the extension's folder until another one is saved", async () => {
    await (await browser.worker()).evaluate(() => chrome.storage.local.remove("hub"));
    const popup = await openPopup();
    const port = (id: string): Promise<string> => popup.locator(`#${id}`).inputValue();
    await until(async () => (await port("console-port")) === "1");
    expect(await port("relay-port")).toBe("1");
    const hub = await connectedHub();
    await until(async () => (await port("console-port")) === String(hub.port));
  });

  it("names every control, and has a dark mode", async () => {
    await connectedHub();
    const popup = await openPopup();
    const unnamed = await popup.evaluate(
      () =>
        [...document.querySelectorAll("button, input")].filter(
          (control) =>
            !control.textContent?.trim() &&
            !control.getAttribute("aria-label") &&
            !(control as HTMLInputElement).labels?.length,
        ).length,
    );
    expect(unnamed).toBe(0);
    await popup.emulateMedia({ colorScheme: "dark" });
    const dark = await popup.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await popup.emulateMedia({ colorScheme: "light" });
    expect(await popup.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe(dark);
  });
});
