import { type DrivenPage, drivePage, fromPuppeteer, type OpenedPage } from "@debug-bridge/driver";
import type { Browser, Target } from "puppeteer-core";
import type { BrowserHub } from "../hub/browser-hub.js";

const FIND_TIMEOUT_MS = 2_000;
/** A page that opens windows without end must not fill the hub. */
const MAX_POPUPS = 20;

export interface PopupsOptions {
  readonly sessionId: string;
  readonly hub: Pick<BrowserHub, "joinAsApp">;
  readonly allowFiles?: boolean | undefined;
}

/** The tabs and windows that a launched page opens: each becomes a session of its own. */
export class Popups {
  onFollowed: ((page: OpenedPage) => void) | undefined;
  private readonly known = new Set<Target>();
  private readonly pages: DrivenPage[] = [];

  constructor(
    private readonly browser: Browser,
    first: Target,
    private readonly options: PopupsOptions,
  ) {
    this.known.add(first);
    for (const target of browser.targets()) this.known.add(target);
  }

  /** Finds the page that was opened, and connects it to the hub. */
  async follow(url: string): Promise<OpenedPage> {
    if (this.pages.length >= MAX_POPUPS) return { url };
    const isNew = (target: Target): boolean => target.type() === "page" && !this.known.has(target);
    const target = await this.browser.waitForTarget(isNew, { timeout: FIND_TIMEOUT_MS });
    this.known.add(target);
    const { hub, allowFiles = false } = this.options;
    const cdp = await target.createCDPSession();
    const driver = await drivePage(
      fromPuppeteer(cdp, (gone) => onTargetGone(this.browser, target, gone)),
      { enableEval: true, allowFiles, followOpened: (next) => this.follow(next) },
    );
    const sessionId = `${this.options.sessionId}-popup-${this.pages.push(driver)}`;
    driver.connect(hub.joinAsApp(sessionId, { kind: "browser" }), { sessionId, kind: "browser" });
    const { targetInfo } = await cdp.send("Target.getTargetInfo");
    const page = { sessionId, url: url || targetInfo.url, title: targetInfo.title };
    this.onFollowed?.(page);
    return page;
  }

  disconnect(): void {
    for (const page of this.pages) page.disconnect();
  }
}

export function onTargetGone(browser: Browser, target: Target, gone: () => void): void {
  browser.on("targetdestroyed", (destroyed) => {
    if (destroyed === target) gone();
  });
  browser.once("disconnected", gone);
}
