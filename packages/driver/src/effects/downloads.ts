import { type Receipt, stripControlCharacters, truncate } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import { ChangeNotifier } from "../change-notifier.js";

type Download = NonNullable<Receipt["downloads"]>[number];

/** Gives a finished download its place. Returns the path of the file. */
export type KeepDownload = (guid: string, name: string) => Promise<string>;

const MAX_KEPT = 50;

interface Progress {
  readonly guid: string;
  readonly receivedBytes: number;
  readonly state: "inProgress" | "completed" | "canceled";
}

/** What a page downloads, for the receipts of the actions that caused it. */
export class Downloads {
  private readonly all = new Map<string, Download & { readonly at: number }>();
  private readonly changed = new ChangeNotifier();

  constructor(
    cdp: CdpSession,
    private readonly keep: KeepDownload | undefined,
  ) {
    cdp.on(
      "Page.downloadWillBegin",
      ({ guid, suggestedFilename }: { guid: string; suggestedFilename: string }) => {
        const name = truncate(stripControlCharacters(suggestedFilename), 200);
        this.all.set(guid, { at: performance.now(), name, state: "running" });
        for (const oldest of this.all.keys()) {
          if (this.all.size <= MAX_KEPT) break;
          this.all.delete(oldest);
        }
      },
    );
    cdp.on("Page.downloadProgress", (progress: Progress) => void this.update(progress));
  }

  /** The downloads that began since a moment, once they have ended, at most so much later. */
  async since(moment: number, maxMs: number): Promise<Download[]> {
    const begun = () => [...this.all.values()].filter(({ at }) => at >= moment);
    const ends = performance.now() + maxMs;
    while (begun().some(({ state }) => state === "running") && performance.now() < ends)
      await this.changed.wait(ends - performance.now());
    return begun().map(({ at: _at, ...download }) => download);
  }

  private async update({ guid, receivedBytes: bytes, state }: Progress): Promise<void> {
    const download = this.all.get(guid);
    if (!download || state === "inProgress") return;
    const { at, name } = download;
    if (state === "canceled") this.all.set(guid, { at, name, state: "failed" });
    else {
      // A file that cannot be moved was downloaded all the same.
      const path = await this.keep?.(guid, name).catch(() => undefined);
      this.all.set(guid, { at, name, bytes, state: "done", ...(path === undefined ? {} : { path }) });
    }
    this.changed.notify();
  }
}
