import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HubClient } from "@debug-bridge/client";
import { chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startUp, temporaryFolder, until } from "../../fixtures.js";
import { TestBuses } from "../../support/bus/bus.js";
import { newToken } from "../../support/hub/hub-processes.js";
import { hubSetting } from "../extension/extension-folder.js";
import { type Site, startSite } from "./site.js";
import { Person } from "./stage.js";

const buses = new TestBuses();
let site: Site;
let person: Person | undefined;
beforeAll(async () => {
  [site] = await Promise.all([startSite(), buses.start()]);
});
afterAll(async () => {
  await person?.close();
  await Promise.all([site.close(), buses.stop()]);
});

it("Playwright at one hub uses a tab of another, and the extension continues with the remaining hub", async () => {
  const [bus, token] = [buses.address(), newToken()];
  const start = async (name: string, pairedWith?: string) => {
    const home = temporaryFolder();
    writeFileSync(join(home, "token"), `${token}\n`, { mode: 0o600 });
    if (pairedWith) copyFileSync(join(pairedWith, "pairing-key"), join(home, "pairing-key"));
    return { home, ...(await startUp(["--bus", bus, "--bus-name", name], home)) };
  };
  const a = await start("a");
  const b = await start("b", a.home);
  const config = { otherHubs: [hubSetting({ consoleUrl: b.ready.console, relayUrl: b.ready.relay })] };
  person = await Person.start(a.ready.relay, [site.url("/")], [], config);
  const hub = new HubClient({ hub: b.ready.hub, token });
  onTestFinished(() => hub.close());
  const tab = async (hubName: string | undefined) =>
    (await hub.sessions()).find(
      (each) =>
        each.kind === "tab" && each.connected && each.hubName === hubName && each.url === site.url("/"),
    );
  await until(() => tab(a.ready.name));

  const open = async (query = ""): Promise<Page> => {
    const browser = await chromium.connectOverCDP(`${b.ready.relay}/cdp?token=${token}${query}`);
    onTestFinished(() => browser.close());
    const pages = browser.contexts().flatMap((context) => context.pages());
    return pages.find((page) => page.url() === site.url("/")) as Page;
  };
  const page = await open();
  await page.evaluate("document.title = 'changed through the other hub'");
  expect(await page.title()).toBe("changed through the other hub");
  await expect(open("&hub=nobody")).rejects.toThrow(/no hub of this bus is called|404/);

  a.child.kill("SIGKILL");
  await a.finished;
  await until(() => tab(b.ready.name));
  const again = await until(() => open().catch(() => undefined));
  expect(await again.title()).toBe("changed through the other hub");
});
