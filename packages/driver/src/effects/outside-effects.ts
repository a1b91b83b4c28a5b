import type { CommandOutcome, Settle } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import { Downloads, type KeepDownload } from "./downloads.js";
import { type FollowOpened, OpenedPages } from "./opened-pages.js";

/** How long a receipt waits for the end of a download. */
const DOWNLOAD_TIMEOUT_MS = 3_000;

export interface EffectsOptions {
  /** Makes sessions of the tabs and windows that the page opens. Without it, receipts only name their URLs. */
  readonly followOpened?: FollowOpened;
  /** Gives finished downloads their place. Without it, receipts do not say where a file is. */
  readonly keepDownload?: KeepDownload;
}

/** What actions cause outside of the page: other pages, and files. */
export class OutsideEffects {
  private readonly opened: OpenedPages;
  private readonly downloads: Downloads;
  private acting = 0;

  constructor(cdp: CdpSession, { followOpened, keepDownload }: EffectsOptions) {
    this.opened = new OpenedPages(cdp, followOpened);
    this.downloads = new Downloads(cdp, keepDownload, () => this.acting > 0);
  }

  /** Carries out an action, and adds its effects to the receipt. */
  async of(settle: Settle, act: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
    const startedAt = performance.now();
    this.acting++;
    try {
      const outcome = await act();
      if (!outcome.receipt) return outcome;
      const opened = await this.opened.since(startedAt);
      const maxMs = settle === false ? 0 : (settle?.maxMs ?? DOWNLOAD_TIMEOUT_MS);
      const downloads = await this.downloads.since(startedAt, maxMs);
      const added = {
        ...(opened.length > 0 ? { opened } : {}),
        ...(downloads.length > 0 ? { downloads } : {}),
      };
      return { ...outcome, receipt: { ...outcome.receipt, ...added } };
    } finally {
      this.acting--;
    }
  }
}
