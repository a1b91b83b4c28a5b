import type { TimelineRecord } from "@debug-bridge/protocol";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { Stage } from "../relay/stage.js";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start();
});
afterAll(() => stage?.close());

/**
 * Presses the key of the extension: a browser without a window has no keys, so the event that Chrome raises for it is
 * raised in the worker, with the tab in front, and reaches the extension's own listener.
 */
const pressKey = (): Promise<void> =>
  stage.person.inWorker(
    `chrome.tabs.query({ active: true, url: ${JSON.stringify(stage.site.url("/*"))} }).then(([tab]) => { chrome.commands.onCommand.dispatch("pick-element", tab); })`,
  );

async function pickedIn(session: string): Promise<TimelineRecord | undefined> {
  const response = await fetch(`${stage.hub.url}/v1/sessions/${session}/events?types=picked`, {
    headers: { authorization: `Bearer ${stage.hub.token}` },
  });
  const { events } = (await response.json()) as { events?: TimelineRecord[] };
  return events?.at(-1);
}

test("the key of the extension picks an element of a tab that no agent uses: agents get it, and so does the clipboard", async () => {
  // Without a window Chrome assigns no keys, but it knows the command and the key that the extension suggests.
  const commands = await stage.person.inWorker<{ name: string }[]>("chrome.commands.getAll()");
  expect(commands.map(({ name }) => name)).toContain("pick-element");
  expect(await stage.person.inWorker("chrome.runtime.getManifest().commands")).toMatchObject({
    "pick-element": { suggested_key: { default: "Alt+Shift+P" } },
  });

  const [context] = (await stage.direct()).contexts();
  const tab = context?.pages().find((page) => page.url() === stage.site.url("/")) as Page;
  await pressKey();
  await tab.locator("debug-bridge-overlay").waitFor({ state: "attached" });
  await tab.getByRole("button", { name: "Count" }).click();
  await tab.locator("debug-bridge-overlay").waitFor({ state: "detached" });
  // The click picked, and the button did not get it.
  expect(await tab.locator("#count").textContent()).toBe("Count");

  const [shared] = stage.hub.relay.tabs();
  const { data } = await until(() => pickedIn(`tab-${shared?.tabId}`));
  const { ref } = data as { ref: string };
  expect(data).toMatchObject({ role: "button", name: "Count", ref: expect.stringMatching(/^e\d+$/) });
  // Reading needs a permission; writing had none but the click of the person.
  await context?.grantPermissions(["clipboard-read"], { origin: stage.site.url("/") });
  const copied = await until(() => tab.evaluate(() => navigator.clipboard.readText()));
  expect(copied).toContain("Count");
  expect(copied).toContain(ref);
});
