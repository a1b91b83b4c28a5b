import { EXTENSION_ID } from "@debug-bridge/extension/id";
import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import type { ChatHub } from "../../support/chat.js";
import { startSite } from "../relay/site.js";
import { Person } from "../relay/stage.js";

const relayOf = (hub: ChatHub): string => JSON.parse(hub.output.stdout.split("\n")[0] ?? "").relay;

/** A person's browser with a tab and the panel, paired with a real hub. */
export async function beside(hub: ChatHub): Promise<{ tab: Page; panel: Page }> {
  const site = await startSite();
  const person = await Person.start(relayOf(hub), [site.url("/")]);
  const browser: Browser = await chromium.connectOverCDP(person.endpoint);
  onTestFinished(async () => {
    await browser.close();
    await person.close();
    await site.close();
  });
  await until(async () =>
    (await hub.json("/v1/sessions")).sessions.some(({ url }: { url?: string }) => url === site.url("/")),
  );
  const [context] = browser.contexts();
  const tab = await until(() => context?.pages().find((page) => page.url() === site.url("/")));
  const panel = (await context?.newPage()) as Page;
  await panel.goto(`chrome-extension://${EXTENSION_ID}/panel.html`);
  await panel.locator('.chat-app[data-connection="live"]').waitFor();
  await panel.getByText("Page in front: Home").waitFor({ state: "attached" });
  return { tab, panel };
}
