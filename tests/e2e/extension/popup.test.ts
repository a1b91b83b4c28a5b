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
  await until(() => popup.locator("#visible").isChecked());
  return popup;
}

interface Access {
  readonly mode: string;
  readonly readOnly: boolean;
  readonly visible: boolean;
}
const stored = (): Promise<Partial<Access>> =>
  stage.person.inWorker("chrome.storage.local.get('access').then(({ access }) => access ?? {})");

/** Has an agent navigate the page of the stage, and returns the error. */
async function refusal(): Promise<string | undefined> {
  const agent = await stage.playwright();
  const page = agent.contexts()[0]?.pages()[0] as Page;
  const session = await page.context().newCDPSession(page);
  return session.send("Page.navigate", { url: stage.site.url("/second") }).then(
    () => undefined,
    (thrown: Error) => thrown.message,
  );
}

describe("Read-only in the popup", () => {
  it("stays on, whatever else happens, and refuses the very next command", async () => {
    expect(await refusal()).toBeUndefined();
    const popup = await openPopup();
    await popup.check("#read-only");
    await until(async () => (await stored()).readOnly);
    expect(await refusal()).toContain("Read-only is on in the Debug Bridge popup");
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await popup.locator("#read-only").isChecked()).toBe(true);
    expect((await stored()).readOnly).toBe(true);

    await popup.check("#mode-manual");
    await until(async () => (await stored()).mode === "manual");
    expect(await stored()).toMatchObject({ mode: "manual", readOnly: true, visible: true });
    expect(await popup.locator("#read-only").isChecked()).toBe(true);
    await popup.check("#mode-automatic");
    await until(async () => (await stored()).mode === "automatic");

    await stage.person.stopWorker();
    await stage.untilConnected();
    expect(await stored()).toMatchObject({ mode: "automatic", readOnly: true });
    expect(await refusal()).toContain("Read-only is on in the Debug Bridge popup");
    await until(() => popup.locator("#read-only").isChecked());
    await popup.uncheck("#read-only");
    await until(async () => (await stored()).readOnly === false);
    expect(await refusal()).toBeUndefined();
  });

  it("keeps several quick changes, the last one for each control", async () => {
    const popup = await openPopup();
    await popup.evaluate(() => {
      for (const id of ["read-only", "visible", "mode-manual", "read-only", "read-only"])
        document.getElementById(id)?.click();
    });
    await until(async () => (await stored()).mode === "manual" && (await stored()).readOnly);
    expect(await stored()).toEqual({ mode: "manual", readOnly: true, visible: false });
    await until(async () => !(await popup.locator("#visible").isChecked()));
    expect(await popup.locator("#mode-manual").isChecked()).toBe(true);
  });

  it("does not let agents close or open tabs", async () => {
    const popup = await openPopup();
    await popup.check("#read-only");
    await until(async () => (await stored()).readOnly);
    const agent = await stage.playwright();
    const session = await agent.newBrowserCDPSession();
    const { targetInfos } = await session.send("Target.getTargets");
    const targetId = targetInfos.find(({ type }) => type === "page")?.targetId as string;
    for (const command of [
      session.send("Target.closeTarget", { targetId }),
      session.send("Target.createTarget", { url: "about:blank" }),
      session.send("Target.activateTarget", { targetId }),
    ])
      await expect(command).rejects.toThrow(/Read-only is on in the Debug Bridge popup/);
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
