import { EXTENSION_ID } from "@debug-bridge/extension/id";
import type { BrowserContext, Page } from "playwright-core";

/** Opens the popup as a page. */
export async function openPopup(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`chrome-extension://${EXTENSION_ID}/popup.html`);
  return page;
}
