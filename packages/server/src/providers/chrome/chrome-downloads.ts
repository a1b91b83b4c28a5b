import { BridgeError } from "@debug-bridge/protocol";
import type { ChromeSocket } from "./chrome-socket.js";

const MAX_KEPT = 100;
const FIND_TIMEOUT_MS = 5_000;
const POLL_INTERVAL_MS = 50;

interface Download {
  readonly guid: string;
  readonly url: string;
  readonly at: number;
  path?: string;
}

/** Where downloads of the browser are. */
export class ChromeDownloads {
  private readonly byGuid = new Map<string, Download>();

  constructor(private readonly socket: ChromeSocket) {}

  /** Has the browser report downloads, and leaves them where the person wants them. */
  start(): Promise<unknown> {
    return this.socket.call("Browser.setDownloadBehavior", { behavior: "default", eventsEnabled: true });
  }

  onEvent(method: string, body: string): void {
    const params = JSON.parse(body) as { guid: string; url?: string; state?: string; filePath?: string };
    if (method === "Browser.downloadWillBegin") {
      this.byGuid.set(params.guid, { guid: params.guid, url: params.url ?? "", at: Date.now() });
      if (this.byGuid.size > MAX_KEPT) this.byGuid.delete(this.byGuid.keys().next().value as string);
      return;
    }
    const download = this.byGuid.get(params.guid);
    if (!download || params.state === "inProgress") return;
    if (params.state === "completed" && params.filePath) download.path = params.filePath;
    else this.byGuid.delete(params.guid);
  }

  async find(url: string, since: number): Promise<{ path: string }> {
    for (const ends = Date.now() + FIND_TIMEOUT_MS; Date.now() < ends; ) {
      const { path } = this.newest(url, since) ?? {};
      if (path !== undefined) return { path };
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
    throw new BridgeError(
      "target_not_found",
      `no download of ${url.slice(0, 200)} completed within ${FIND_TIMEOUT_MS / 1_000} s`,
    );
  }

  async cancel(url: string, since: number): Promise<object> {
    const { guid } = this.newest(url, since) ?? {};
    return guid === undefined ? {} : this.socket.call("Browser.cancelDownload", { guid });
  }

  private newest(url: string, since: number): Download | undefined {
    return [...this.byGuid.values()].findLast((each) => each.url === url && each.at >= since - 1_000);
  }
}
