import { EXTENSION_ID } from "@debug-bridge/extension/id";
import { chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import type { ChatHub } from "../../support/chat/chat.js";
import { type Site, startSite } from "../relay/site.js";
import { Person } from "../relay/stage.js";

/** Where its relay listens. */
export const relayOf = (hub: ChatHub): string => JSON.parse(hub.output.stdout.split("\n")[0] ?? "").relay;

export interface Beside {
  readonly person: Person;
  readonly site: Site;
  readonly tab: Page;
  readonly panel: Page;
}

/** A person's browser with a tab and the panel, paired with a real hub. */
export async function beside(hub: ChatHub): Promise<Beside> {
  const site = await startSite();
  const person = await Person.start(relayOf(hub), [site.url("/")]);
  onTestFinished(async () => {
    await person.close();
    await site.close();
  });
  return { person, site, ...(await openBeside(hub, person, site)) };
}

/** The tab and the panel of a browser that has just been started. */
export async function openBeside(
  hub: ChatHub,
  person: Person,
  site: Site,
): Promise<Pick<Beside, "tab" | "panel">> {
  const browser = await chromium.connectOverCDP(person.endpoint);
  onTestFinished(() => browser.close());
  await until(async () =>
    (await hub.json("/v1/sessions")).sessions.some(
      ({ url, connected }: { url?: string; connected: boolean }) => connected && url === site.url("/"),
    ),
  );
  const [context] = browser.contexts();
  const tab = await until(() => context?.pages().find((page) => page.url() === site.url("/")));
  const panel = (await context?.newPage()) as Page;
  await panel.goto(`chrome-extension://${EXTENSION_ID}/panel.html`);
  await panel.locator('.chat-app[data-connection="live"]').waitFor();
  await panel.getByText("Page in front: Home").waitFor({ state: "attached" });
  return { tab, panel };
}
