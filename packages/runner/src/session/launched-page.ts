import { homeFolder } from "@debug-bridge/client/files";
import { type DrivenPage, drivePage, fromPuppeteer, maskUrl } from "@debug-bridge/driver";
import { BridgeError, type RunnerConfig, truncate } from "@debug-bridge/protocol";
import type { Browser, CDPSession, Target } from "puppeteer-core";
import { connectChrome } from "../chrome/connect.js";
import { DownloadFolder } from "../chrome/download-folder.js";
import { type LaunchOptions, launchChrome, type OpenChrome } from "../chrome/launch.js";
import { acceptLocalCertificates } from "../chrome/local-certificates.js";
import type { BrowserHub } from "../hub/browser-hub.js";
import type { ActionLogs } from "../report/logs.js";
import { onTargetGone, Popups, type UsablePage } from "./popups.js";

const HEALTH_TIMEOUT_MS = 5_000;

export interface LaunchedPageOptions extends LaunchOptions {
  readonly sessionId: string;
  /** The page joins this hub as an app of kind `browser`. */
  readonly hub: Pick<BrowserHub, "joinAsApp">;
  /** The CDP address of a browser that runs elsewhere; without it, a Chrome is launched. */
  readonly endpoint?: string | undefined;
  /** Whether somebody may look at the page before it was sent anywhere. */
  readonly isUsedBlank?: boolean | undefined;
  /** Whether files of this machine may be opened as pages. */
  readonly allowFiles?: boolean | undefined;
}

/** A launched Chrome with the one page that is driven, from launch to close. */
export class LaunchedPage {
  /** Why it can no longer be used. */
  lost: string | undefined;
  /** Set after an action timed out: the page itself may hang while the browser still answers. */
  mayHang = false;
  /** Rejects whatever waits for this page. */
  private readonly waiting = new Set<(error: Error) => void>();
  /** The page that instructions are about: the first one, or one that it opened. */
  private current: UsablePage;

  private constructor(
    private readonly chrome: OpenChrome,
    private readonly cdp: CDPSession,
    private readonly first: UsablePage,
    private readonly popups: Popups,
  ) {
    this.current = first;
  }

  /** Everything listens before the first navigation, so that nothing of it is missed. */
  static async open(
    config: RunnerConfig,
    options: LaunchedPageOptions,
    logs: ActionLogs,
  ): Promise<LaunchedPage> {
    const { endpoint } = options;
    const chrome = await (endpoint ? connectChrome(endpoint) : launchChrome(config, options, logs));
    try {
      const { target } = chrome;
      const cdp = await target.createCDPSession();
      const { width, height, deviceScaleFactor } = config;
      const { acceptInsecureCerts, networkDetails } = config;
      const details = { captureBodies: networkDetails };
      const popups = new Popups(chrome.browser, target, { ...options, details, acceptInsecureCerts });
      const folder = new DownloadFolder(homeFolder(options.home), options.sessionId);
      const [driver] = await Promise.all([
        drivePage(
          fromPuppeteer(cdp, (gone) => onTargetGone(chrome.browser, target, gone)),
          {
            ...{ enableEval: true, mayRaise: true, allowFiles: options.allowFiles ?? false },
            fresh: options.isUsedBlank !== true,
            seedRandom: true,
            ...details,
            followOpened: (url) => popups.follow(url),
            keepDownload: ({ guid, name }) => folder.keep(guid, name),
          },
        ),
        chrome.isShared ? refuseDownloads(cdp, target) : keepDownloads(cdp, folder),
        ...(acceptInsecureCerts
          ? [acceptLocalCertificates(cdp, (text) => logs.tool("error", text, { category: "network" }))]
          : []),
        cdp.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor, mobile: false }),
      ]);
      const { sessionId, hub } = options;
      driver.connect(hub.joinAsApp(sessionId, { kind: "browser" }), { sessionId, kind: "browser" });
      const page = new LaunchedPage(chrome, cdp, { sessionId, driver, cdp }, popups);
      page.watch(logs);
      return page;
    } catch (thrown) {
      await chrome.close();
      throw thrown;
    }
  }

  get driver(): DrivenPage {
    return this.current.driver;
  }

  /** The session of the hub that instructions are about. */
  get sessionId(): string {
    return this.current.sessionId;
  }

  /** Makes instructions be about another page: 1 is the first, 2 the first that it opened. */
  switchTo(number: number): void {
    const page = number === 1 ? this.first : this.popups.at(number - 1);
    if (!page) {
      const numbers = [1, ...this.popups.numbers.map((popup) => popup + 1)];
      throw new BridgeError(
        "target_not_found",
        `there is no page ${number}; the browser has ${numbers.length === 1 ? "only page 1" : `the pages ${numbers.join(", ")}`}`,
        { field: "page", pages: numbers },
      );
    }
    this.current = page;
  }

  get browser(): Browser {
    return this.chrome.browser;
  }

  /** Whether the browser answers and its page can be used. Closes leftover empty pages. */
  async isHealthy(): Promise<boolean> {
    if (this.lost !== undefined) return false;
    const requests: Promise<unknown>[] = [this.cdp.send("Browser.getVersion")];
    if (this.mayHang) requests.push(this.cdp.send("Runtime.evaluate", { expression: "1" }));
    try {
      await this.beforeDeadline(Promise.all(requests), HEALTH_TIMEOUT_MS, () => new Error("no answer"));
      this.mayHang = false;
      this.closeBlankPages();
      return this.lost === undefined;
    } catch (thrown) {
      this.lose(`Session closed: the browser did not answer (${(thrown as Error).message})`);
      return false;
    }
  }

  /** Whether the page itself answers within this time: one whose script runs does not. */
  answers(ms: number): Promise<boolean> {
    const asked = this.current.cdp.send("Runtime.evaluate", { expression: "1" });
    return this.beforeDeadline(asked, ms, () => new Error("no answer")).then(
      () => true,
      () => false,
    );
  }

  /** Waits for something of this page, but no longer than the page lives, nor longer than `ms`. */
  beforeDeadline<Value>(work: Promise<Value>, ms: number, late: () => Error): Promise<Value> {
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

  async title(): Promise<string> {
    const { targetInfo } = await this.current.cdp.send("Target.getTargetInfo");
    return targetInfo.title;
  }

  /** Bytes of JavaScript memory in use. */
  async memory(): Promise<number> {
    const { usedSize } = await this.current.cdp.send("Runtime.getHeapUsage");
    return Math.round(usedSize);
  }

  /** May be called at any time and more than once. */
  async close(): Promise<void> {
    this.lose("Session closed: the browser was closed");
    this.first.driver.disconnect();
    this.popups.disconnect();
    this.cdp.removeAllListeners();
    await this.chrome.close();
    this.browser.removeAllListeners();
  }

  /** Reports what happens around the page, and notices when it is lost. */
  private watch(logs: ActionLogs): void {
    const { cdp, browser } = this;
    const { target } = this.chrome;
    cdp.on("Inspector.targetCrashed", () => this.lose("Page crashed: its process ended"));
    onTargetGone(browser, target, () => this.lose("TargetClosedError: the page was closed"));
    browser.once("disconnected", () => this.lose("ConnectionClosedError: Chrome ended"));
    cdp.on("Page.downloadWillBegin", ({ url, suggestedFilename }) =>
      logs.tool(
        "warning",
        `the page started a download of ${suggestedFilename} (${truncate(maskUrl(url), 200)})`,
        { category: "network" },
      ),
    );
    this.popups.onFollowed = ({ url, sessionId }, number) => {
      const where = url === "" || url === "about:blank" ? "" : ` at ${truncate(maskUrl(url), 200)}`;
      logs.tool(
        "info",
        `the page opened another page${where}, which is the session ${sessionId}; switch to page ${number + 1} to use it`,
      );
    };
    this.popups.onGone = (page) => {
      if (this.current !== page || this.lost !== undefined) return;
      this.current = this.first;
      logs.tool("warning", "the page that was used is closed; instructions are about page 1 again");
    };
  }

  private lose(why: string): void {
    if (this.lost !== undefined) return;
    this.lost = why;
    for (const reject of this.waiting) reject(new Error(why));
  }

  /** A blank page that another page opened is about to be written into, and stays. */
  private closeBlankPages(): void {
    const { target, isShared } = this.chrome;
    // A blank page of a browser that others use may be theirs.
    if (isShared) return;
    for (const other of this.browser.targets()) {
      if (other === target || other.type() !== "page" || other.url() !== "about:blank" || other.opener())
        continue;
      void other
        .page()
        .then((page) => page?.close())
        .catch(() => {});
    }
  }
}

/** Files that a browser elsewhere downloads would stay there. */
async function refuseDownloads(cdp: CDPSession, target: Target): Promise<void> {
  const { id } = target.browserContext();
  await cdp.send("Browser.setDownloadBehavior", {
    behavior: "deny",
    ...(id === undefined ? {} : { browserContextId: id }),
  });
}

/** A page of a person's choice may not fill the disk unseen: files go to the folder of the session. */
async function keepDownloads(cdp: CDPSession, folder: DownloadFolder): Promise<void> {
  await folder.create();
  await cdp.send("Browser.setDownloadBehavior", { behavior: "allowAndName", downloadPath: folder.path });
}
