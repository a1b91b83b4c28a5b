import { type Receipt, stripControlCharacters, truncate } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import { ChangeNotifier } from "../change-notifier.js";

type Download = NonNullable<Receipt["downloads"]>[number];

/** A download that has ended, for the code that gives its file a place. */
export interface EndedDownload {
  readonly guid: string;
  readonly name: string;
  readonly url: string;
  readonly bytes: number;
  /** When it began, in milliseconds since 1970. */
  readonly since: number;
  /** Whether it began while an action of an agent ran; else a person may have begun it. */
  readonly byAgent: boolean;
}

/** Gives a finished download its place. Returns the path of the file, as far as it is known. */
export type KeepDownload = (download: EndedDownload) => Promise<string | undefined>;

interface Begun extends Omit<EndedDownload, "bytes"> {
  readonly at: number;
  readonly shown: Download;
}

const MAX_KEPT = 50;

interface WillBegin {
  readonly guid: string;
  readonly url: string;
  readonly suggestedFilename: string;
}

interface Progress {
  readonly guid: string;
  readonly receivedBytes: number;
  readonly state: "inProgress" | "completed" | "canceled";
}

/** What a page downloads, for the receipts of the actions that caused it. */
export class Downloads {
  private readonly all = new Map<string, Begun>();
  private readonly changed = new ChangeNotifier();

  constructor(
    cdp: CdpSession,
    private readonly keep: KeepDownload | undefined,
    isActing: () => boolean,
  ) {
    cdp.on("Page.downloadWillBegin", ({ guid, url, suggestedFilename }: WillBegin) => {
      const name = truncate(stripControlCharacters(suggestedFilename), 200);
      const about = { guid, name, url, since: Date.now(), byAgent: isActing() };
      this.all.set(guid, { ...about, at: performance.now(), shown: { name, state: "running" } });
      for (const oldest of this.all.keys()) {
        if (this.all.size <= MAX_KEPT) break;
        this.all.delete(oldest);
      }
    });
    cdp.on("Page.downloadProgress", (progress: Progress) => void this.update(progress));
  }

  /** The downloads that began since a moment, once they have ended, at most so much later. */
  async since(moment: number, maxMs: number): Promise<Download[]> {
    const started = () => [...this.all.values()].filter(({ at }) => at >= moment);
    const ends = performance.now() + maxMs;
    while (started().some(({ shown }) => shown.state === "running") && performance.now() < ends)
      await this.changed.wait(ends - performance.now());
    return started().map(({ shown }) => shown);
  }

  private async update({ guid, receivedBytes: bytes, state }: Progress): Promise<void> {
    const download = this.all.get(guid);
    if (!download || state === "inProgress") return;
    const { name } = download;
    if (state === "canceled") this.all.set(guid, { ...download, shown: { name, state: "failed" } });
    else {
      // A file that cannot be moved was downloaded all the same.
      const path = await this.keep?.({ ...download, bytes }).catch(() => undefined);
      const shown: Download = { name, bytes, state: "done", ...(path === undefined ? {} : { path }) };
      this.all.set(guid, { ...download, shown });
    }
    this.changed.notify();
  }
}
