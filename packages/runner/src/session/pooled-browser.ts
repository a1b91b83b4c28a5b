import { mergeConfig } from "../config.js";
import type { BrowserHub } from "../hub/browser-hub.js";
import { ActionLogs } from "../report/logs.js";
import { LaunchedPage } from "./launched-page.js";

export interface PooledBrowserOptions {
  /** The id of the session that its page becomes. */
  readonly sessionId: string;
  readonly hub: Pick<BrowserHub, "joinAsApp">;
  readonly home?: string | undefined;
  readonly allowFiles?: boolean | undefined;
  /** The address of a running browser that offers CDP; without it, a Chrome is launched. */
  readonly endpoint?: string | undefined;
}

/**
 * Opens a page for one client of a pool: in a separate Chrome without a window and with a profile that is deleted afterwards, or
 * in a separate context of a browser that runs elsewhere.
 */
export function openPooledBrowser(options: PooledBrowserOptions): Promise<LaunchedPage> {
  const config = mergeConfig({ headless: true, tempProfile: true });
  return LaunchedPage.open(config, { ...options, isUsedBlank: true }, new ActionLogs());
}
