import type { ConsoleEvent } from "@debug-bridge/protocol";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import { ExtensionBrowser } from "./extension-browser.js";
import { FakeHub } from "./fake-hub.js";

let browser: ExtensionBrowser;

beforeAll(async () => {
  browser = await ExtensionBrowser.launch();
});
afterEach(() => browser.closePages());
afterAll(() => browser?.close());

async function startHub(port?: number): Promise<FakeHub> {
  const hub = await FakeHub.start(port === undefined ? {} : { port });
  onTestFinished(() => hub.close());
  return hub;
}

/** Logs `name 0`, `name 1` … at a steady pace, below the rate at which events are dropped. */
async function startLogging(name: string, count: number): Promise<Page> {
  return browser.run(`
    let n = 0;
    const timer = setInterval(() => { console.log("${name} " + n); if (++n === ${count}) clearInterval(timer) }, 10);
  `);
}

function numbersOf(events: ConsoleEvent[], name: string): number[] {
  return events
    .map(({ payload }) => String(payload.args[0]?.value).split(" "))
    .filter(([word]) => word === name)
    .map(([, number]) => Number(number));
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("console events survive", () => {
  it("a worker that is killed several times during a burst: in order, none lost, none twice", async () => {
    const hub = await startHub();
    await browser.use(hub.address);
    const page = await startLogging("burst", 100_000);
    const session = await browser.context.newCDPSession(page);
    await session.send("ServiceWorker.enable");
    const received = (): number[] => numbersOf(hub.events, "burst");
    for (let kill = 1; kill <= 3; kill++) {
      const [count, connections] = [received().length, hub.connectedAt.length];
      await until(() => received().length >= count + 30);
      await session.send("ServiceWorker.stopAllWorkers");
      await until(() => hub.connectedAt.length > connections);
    }
    const logged = Number(await page.evaluate("clearInterval(timer), n"));
    await until(() => received().length >= logged);
    expect(received()).toEqual(upTo(logged));
    expect(hub.invalid).toEqual([]);
  });

  it("[CON-080] a hub that is restarted: unconfirmed events are sent again", async () => {
    const first = await startHub();
    await browser.use(first.address);
    await startLogging("restart", 200);
    await until(() => numbersOf(first.events, "restart").length >= 50);
    const { port } = first;
    await first.close();
    const second = await startHub(port);
    await until(() => numbersOf(second.events, "restart").at(-1) === 199);
    const [late, early] = [numbersOf(second.events, "restart"), numbersOf(first.events, "restart")];
    expect([...new Set([...early, ...late])]).toEqual(upTo(200));
    expect(late).toEqual(upTo(200).slice(late[0]));
    expect(second.messages[0]?.type).toBe("connection_status");
  });

  it("a time without a hub, including when the worker stops and the page is closed", async () => {
    const hub = await startHub();
    await browser.use(hub.address);
    await until(() => hub.messages.length > 0);
    const { port } = hub;
    await hub.close();
    const gone = await browser.run("console.log('left behind')");
    await gone.close();
    const page = await browser.run("console.log('kept 0'); console.error('kept 1')");
    const session = await browser.context.newCDPSession(page);
    await session.send("ServiceWorker.enable");
    const later = await browser.run("");
    await later.evaluate(() => console.log("kept 2"));
    const again = await startHub(port);
    await until(() => again.lines.includes("kept 2"));
    expect(again.lines).toContain("left behind");
    await session.send("ServiceWorker.stopAllWorkers");
    await later.evaluate(() => console.log("kept 3"));
    await until(() => again.lines.includes("kept 3"));
    expect(numbersOf(again.events, "kept").sort()).toEqual([0, 1, 2, 3]);
  });

  it("the end of their page, when it navigates and when its tab is closed", async () => {
    const hub = await startHub();
    await browser.use(hub.address);
    await until(() => hub.messages.length > 0);
    const page = await browser.run(
      "addEventListener('pagehide', () => { console.log('bye 1'); console.log('bye 2') })",
    );
    await page.goto(
      browser.serve(
        "/next",
        "addEventListener('pagehide', () => { console.log('closed 1'); console.log('closed 2') })",
      ),
    );
    await hub.event("bye 2");
    await page.close();
    expect((await hub.event("closed 2")).source.url).toBe(browser.url("/next"));
  });

  it("the back/forward cache", async () => {
    const hub = await startHub();
    await browser.use(hub.address);
    await until(() => hub.messages.length > 0);
    const page = await browser.run(
      "addEventListener('pageshow', (event) => console.log('shown ' + event.persisted))",
    );
    await hub.event("shown false");
    await page.goto(browser.serve("/other", "console.log('other')"));
    await hub.event("other");
    await page.goBack();
    await until(() => hub.lines.some((line) => line === "shown true" || line === "shown false"));
    await page.evaluate(() => console.log("back again"));
    await hub.event("back again");
  });
});
