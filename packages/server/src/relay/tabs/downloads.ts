import { basename } from "node:path";
import type { ClientSession } from "../clients/client-session.js";
import type { RelayCore } from "../relay-core.js";
import type { Params } from "../wire/messages.js";
import type { Download, Tab } from "./tab.js";

/** Where files of downloads go. */
export interface DownloadFiles {
  /** What is wrong with a folder that a client chose; `undefined` when it is allowed. */
  problem(folder: string): string | undefined;
  /** Copies a file that was downloaded since then, and returns the path of the copy. */
  copy(from: string, folder: string, name: string, since: number): Promise<string>;
}

const GUID = /^[\w-]{1,100}$/;

/**
 * Chrome's debugger reports downloads as `Page.*`, and the file is in the person's folder. Clients listen to `Browser.*`
 * and look for a file named by its guid in their own folder. So events are sent again under the other name, and the
 * file is copied before its download counts as complete.
 */
export class Downloads {
  constructor(private readonly relay: RelayCore) {}

  begin(tab: Tab, params: Params): void {
    const guid = String(params.guid);
    if (!GUID.test(guid)) return;
    tab.downloads.set(guid, {
      url: String(params.url),
      // Chrome dates its downloads by the clock of the machine.
      since: Date.now() - 1_000,
      fileName: basename(String(params.suggestedFilename ?? "")) || guid,
    });
    for (const session of this.listeners(tab)) {
      session.emit("Browser.downloadWillBegin", params);
      if (session.wants.downloads?.behavior === "deny") this.cancel(guid);
    }
  }

  progress(tab: Tab, params: Params): void {
    const guid = String(params.guid);
    const download = tab.downloads.get(guid);
    const listeners = this.listeners(tab);
    if (!download || params.state !== "completed") {
      for (const session of listeners) session.emit("Browser.downloadProgress", params);
      if (params.state === "canceled") tab.downloads.delete(guid);
      return;
    }
    tab.downloads.delete(guid);
    const { url, since } = download;
    this.relay.extension.request("findDownload", JSON.stringify({ url, since }), (outcome) => {
      const path = outcome.ok ? (JSON.parse(outcome.body) as { path?: unknown }).path : undefined;
      for (const session of listeners) void this.deliver(session, params, guid, download, path);
    });
  }

  cancel(guid: string): void {
    for (const { downloads } of this.relay.tabs.values()) {
      const download = downloads.get(guid);
      if (!download) continue;
      const { url, since } = download;
      this.relay.extension.request("cancelDownload", JSON.stringify({ url, since }), () => {});
    }
  }

  private async deliver(
    session: ClientSession,
    params: Params,
    guid: string,
    { fileName, since }: Download,
    path: unknown,
  ): Promise<void> {
    const { behavior, downloadPath } = session.wants.downloads ?? {};
    let state = "completed";
    let filePath = typeof path === "string" ? path : undefined;
    if ((behavior === "allow" || behavior === "allowAndName") && typeof downloadPath === "string") {
      const name = behavior === "allowAndName" ? guid : fileName;
      try {
        if (filePath === undefined) throw new Error("the browser does not know where the file is");
        filePath = await this.relay.files.copy(filePath, downloadPath, name, since);
      } catch {
        state = "canceled";
      }
    }
    session.emit("Browser.downloadProgress", { ...params, state, ...(filePath ? { filePath } : {}) });
  }

  /** Those who asked for events of downloads, and whose client works in this tab. */
  private listeners(tab: Tab): ClientSession[] {
    return [...this.relay.clients]
      .filter(({ sessions }) =>
        [...sessions.values()].some((session) => session.tab === tab && session.isAttached),
      )
      .flatMap(({ sessions }) =>
        [...sessions.values()].filter(({ wants }) => wants.downloads?.eventsEnabled === true),
      );
  }
}
