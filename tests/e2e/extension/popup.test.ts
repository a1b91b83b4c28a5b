import { EXTENSION_ID } from "@debug-bridge/extension/id";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { Stage } from "../relay/stage.js";

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.start();
});
afterEach(async () => {
  await stage.person.inWorker("chrome.storage.local.remove('access')");
  await stage.disconnect();
});
afterAll(() => stage?.close());

async function openPopup(): Promise<Page> {
  const direct = await stage.direct();
  const popup = (await direct.contexts()[0]?.newPage()) as Page;
  await popup.goto(`chrome-extension://${EXTENSION_ID}/popup.html`);
  await popup.locator("#settings > summary").click();
  await until(() => popup.locator("#visible").isChecked());
  return popup;
}

describe("read-only in the popup", () => {
  it("does not let agents close or open tabs", async () => {
    const popup = await openPopup();
    await popup.check("#access-read-only");
    await until(() => stage.hub.relay.tabs().every(({ access }) => access?.level === "read-only"));
    const agent = await stage.playwright();
    const session = await agent.newBrowserCDPSession();
    const { targetInfos } = await session.send("Target.getTargets");
    const targetId = targetInfos.find(({ type }) => type === "page")?.targetId as string;
    for (const command of [
      session.send("Target.closeTarget", { targetId }),
      session.send("Target.createTarget", { url: "about:blank" }),
      session.send("Target.activateTarget", { targetId }),
    ])
      await expect(command).rejects.toThrow(/"access: read-only".*popup/);
    expect((await stage.person.targets()).map(({ id }) => id)).toContain(targetId);
  });
});

describe("the popup", () => {
  it("shows the state of each wire when they differ, and the ends of connections", async () => {
    const popup = await openPopup();
    await until(async () => (await popup.locator("#wires").textContent())?.includes("Agents: Connected"));
    await stage.restartHub();
    await stage.untilConnected();
    await until(async () => (await popup.locator("#ends").textContent())?.includes("relay:"));
    expect(await popup.locator("#status-text").textContent()).toBe("Connected (agents only)");
  });
});
