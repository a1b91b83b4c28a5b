import { Masker } from "@debug-bridge/page/records";
import { type Receipt, truncate } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";

export type OpenedPage = NonNullable<Receipt["opened"]>[number];

/** Finds the page that was opened at a URL, and makes a session of it where that is possible. */
export type FollowOpened = (url: string) => Promise<OpenedPage>;

const FOLLOW_TIMEOUT_MS = 3_000;
const MAX_KEPT = 50;

const masker = new Masker();

/** The tabs and windows that a page opens, for the receipts of the actions that caused it. */
export class OpenedPages {
  private opened: { readonly at: number; readonly page: Promise<OpenedPage> }[] = [];

  constructor(cdp: CdpSession, follow: FollowOpened | undefined) {
    cdp.on("Page.windowOpen", ({ url }: { url: string }) => {
      const unknown: OpenedPage = { url };
      const late = new Promise<OpenedPage>((resolve) => {
        setTimeout(() => resolve(unknown), FOLLOW_TIMEOUT_MS).unref();
      });
      const followed = follow?.(url).catch(() => unknown) ?? Promise.resolve(unknown);
      const at = performance.now();
      this.opened = [...this.opened, { at, page: Promise.race([followed, late]) }].slice(-MAX_KEPT);
    });
  }

  async since(moment: number): Promise<OpenedPage[]> {
    const pages = await Promise.all(this.opened.filter(({ at }) => at >= moment).map(({ page }) => page));
    return pages.map(({ url, title, ...rest }) => ({
      ...rest,
      url: masker.url(truncate(url, 2_000)),
      ...(title ? { title: truncate(title, 200) } : {}),
    }));
  }
}
