import { type DrivenPage, drivePage, fromPuppeteer } from "@debug-bridge/driver";
import { type RunnerConfig, truncate } from "@debug-bridge/protocol";
import type { CDPSession, Page } from "puppeteer-core";
import { type LaunchedChrome, type LaunchOptions, launchChrome } from "../chrome/launch.js";
import { Collector } from "../collect/collector.js";
import { SourceMaps } from "../collect/source-maps.js";
import type { ActionLogs } from "../log/logs.js";

const HEALTH_MS = 5_000;

/** A launched Chrome with the one page that is driven, from launch to close. */
export class LivePage {
  /** Why it cannot be used any more. */
  lost: string | undefined;
  /** Who waits for an answer of this page. */
  private readonly waiting = new Set<(error: Error) => void>();
  /** After an action ran out of time the page itself may hang, which a healthy browser does not show. */
  mayHang = false;

  private constructor(
    private readonly chrome: LaunchedChrome,
    readonly page: Page,
    readonly cdp: CDPSession,
    readonly driver: DrivenPage,
    readonly collector: Collector,
    readonly deviceScaleFactor: number,
  ) {}

  /**
   * Everything listens before the first navigation, so that nothing of it is missed. Puppeteer and the driver get
   * ready side by side, since both wait for the page's process to come up.
   */
  static async open(config: RunnerConfig, options: LaunchOptions, logs: ActionLogs): Promise<LivePage> {
    const chrome = await launchChrome(config, options, logs);
    try {
      const target = await chrome.browser.waitForTarget((one) => one.type() === "page");
      const opened = target.page();
      // It is waited for below; until then, its failure is that of the session.
      opened.catch(() => {});
      const cdp = await target.createCDPSession();
      const collector = new Collector(logs, new SourceMaps(options.project));
      cdp.on("Network.requestWillBeSent", ({ requestId, type }) =>
        collector.noteType(requestId, type ?? "other"),
      );
      // The page itself is not there yet when the driver already wants to hear of its end.
      const whenClosed: (() => void)[] = [];
      const session = fromPuppeteer(cdp, (gone) => whenClosed.push(gone));
      const { width, height, deviceScaleFactor } = config;
      cdp.on("Page.downloadWillBegin", ({ url, suggestedFilename }) =>
        logs.tool("warning", `the page began a download of ${suggestedFilename} (${truncate(url, 200)})`, {
          category: "network",
        }),
      );
      const [page, driver] = await Promise.all([
        opened,
        drivePage(session, { enableEval: true, fresh: true }),
        cdp.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor, mobile: false }),
      ]);
      if (!page) throw new Error("Session closed: the browser has no page");
      for (const gone of whenClosed) page.once("close", gone);
      driver.onTelemetry((record) => collector.take(record));
      options.onPage?.(driver);
      const live = new LivePage(chrome, page, cdp, driver, collector, deviceScaleFactor);
      cdp.on("Inspector.targetCrashed", () => live.lose("Page crashed: its process ended"));
      page.once("close", () => live.lose("TargetClosedError: the page was closed"));
      chrome.browser.on("targetcreated", (opened) => {
        if (opened.type() !== "page" || opened.opener() !== target) return;
        const where = opened.url() === "" || opened.url() === "about:blank" ? "" : ` at ${opened.url()}`;
        logs.tool(
          "warning",
          `the page opened another one${where}, which is not looked at; navigate there to see it`,
        );
      });
      chrome.browser.once("disconnected", () => live.lose("ConnectionClosedError: Chrome ended"));
      return live;
    } catch (thrown) {
      await chrome.close();
      throw thrown;
    }
  }

  /** Whether the browser answers and its page can be used. Leftover empty pages are closed on the way. */
  async isHealthy(): Promise<boolean> {
    if (this.lost !== undefined) return false;
    const asked: Promise<unknown>[] = [this.cdp.send("Browser.getVersion")];
    if (this.mayHang) asked.push(this.cdp.send("Runtime.evaluate", { expression: "1" }));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("did not answer")), HEALTH_MS);
    });
    try {
      await Promise.race([Promise.all(asked), late]);
      this.mayHang = false;
      this.closeBlankPages();
      return this.lost === undefined;
    } catch (thrown) {
      this.lose(`Session closed: the browser did not answer (${(thrown as Error).message})`);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Waits for an answer of this page, but neither longer than it lives nor longer than so many milliseconds. Nothing is
   * kept of it afterwards, however long the page lives.
   */
  answer<Value>(work: Promise<Value>, ms: number, late: () => Error): Promise<Value> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(late()), ms);
      this.waiting.add(reject);
      const end = (): void => {
        clearTimeout(timer);
        this.waiting.delete(reject);
      };
      work.then(resolve, reject).finally(end);
      if (this.lost !== undefined) reject(new Error(this.lost));
    });
  }

  /** May be called at any time and again. */
  async close(): Promise<void> {
    this.lose("Session closed: the browser was closed");
    this.cdp.removeAllListeners();
    this.page.removeAllListeners();
    await this.chrome.close();
  }

  private lose(why: string): void {
    if (this.lost !== undefined) return;
    this.lost = why;
    for (const end of this.waiting) end(new Error(why));
  }

  /** One that a page opened is about to be written into, and stays. */
  private closeBlankPages(): void {
    const own = this.page.target();
    for (const target of this.chrome.browser.targets()) {
      if (target === own || target.type() !== "page" || target.url() !== "about:blank" || target.opener())
        continue;
      void target
        .page()
        .then((page) => page?.close())
        .catch(() => {});
    }
  }
}
