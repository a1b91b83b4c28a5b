import {
  type DrivenPage,
  type DriveOptions,
  drivePage,
  fromPuppeteer,
  type OpenedPage,
} from "@debug-bridge/driver";
import type { Browser, CDPSession, Target } from "puppeteer-core";
import { acceptLocalCertificates } from "../chrome/local-certificates.js";
import type { BrowserHub } from "../hub/browser-hub.js";

const FIND_TIMEOUT_MS = 2_000;
/** A page that opens windows without end must not fill the hub. */
const MAX_POPUPS = 20;

export interface PopupsOptions {
  readonly sessionId: string;
  readonly hub: Pick<BrowserHub, "joinAsApp">;
  readonly allowFiles?: boolean | undefined;
  /** What pages report besides the usual. */
  readonly details?: Pick<DriveOptions, "captureBodies">;
  readonly acceptInsecureCerts?: boolean;
}

/** A page of the launched browser that instructions can be about. */
export interface UsablePage {
  readonly sessionId: string;
  readonly driver: DrivenPage;
  readonly cdp: CDPSession;
}

/** The tabs and windows that a launched page opens: each becomes a separate session. */
export class Popups {
  onFollowed: ((page: OpenedPage, number: number) => void) | undefined;
  /** A page that was opened is closed. */
  onGone: ((page: UsablePage) => void) | undefined;
  private readonly known = new Set<Target>();
  private readonly pages: UsablePage[] = [];
  private readonly gone = new Set<UsablePage>();

  constructor(
    private readonly browser: Browser,
    private readonly first: Target,
    private readonly options: PopupsOptions,
  ) {
    this.known.add(first);
    for (const target of browser.targets()) this.known.add(target);
  }

  /** Finds the page that was opened, and connects it to the hub. */
  async follow(url: string): Promise<OpenedPage> {
    if (this.pages.length >= MAX_POPUPS) return { url };
    const context = this.first.browserContext();
    const isNew = (target: Target): boolean =>
      target.type() === "page" && !this.known.has(target) && target.browserContext() === context;
    const target = await this.browser.waitForTarget(isNew, { timeout: FIND_TIMEOUT_MS });
    this.known.add(target);
    const { hub, allowFiles = false, details = {}, acceptInsecureCerts = false } = this.options;
    const cdp = await target.createCDPSession();
    if (acceptInsecureCerts) await acceptLocalCertificates(cdp);
    const driver = await drivePage(
      fromPuppeteer(cdp, (gone) => onTargetGone(this.browser, target, gone)),
      { enableEval: true, mayRaise: true, allowFiles, ...details, followOpened: (next) => this.follow(next) },
    );
    const number = this.pages.length + 1;
    const sessionId = `${this.options.sessionId}-popup-${number}`;
    const usable = { sessionId, driver, cdp };
    this.pages.push(usable);
    onTargetGone(this.browser, target, () => {
      this.gone.add(usable);
      this.onGone?.(usable);
    });
    driver.connect(hub.joinAsApp(sessionId, { kind: "browser" }), { sessionId, kind: "browser" });
    const { targetInfo } = await cdp.send("Target.getTargetInfo");
    const page = { sessionId, url: url || targetInfo.url, title: targetInfo.title };
    this.onFollowed?.(page, number);
    return page;
  }

  /** The page that was opened as this number, if it is still there. */
  at(number: number): UsablePage | undefined {
    const page = this.pages[number - 1];
    return page && !this.gone.has(page) ? page : undefined;
  }

  /** The numbers of the pages that are still there. */
  get numbers(): number[] {
    return this.pages.flatMap((page, index) => (this.gone.has(page) ? [] : [index + 1]));
  }

  disconnect(): void {
    for (const { driver } of this.pages) driver.disconnect();
  }
}

export function onTargetGone(browser: Browser, target: Target, gone: () => void): void {
  browser.on("targetdestroyed", (destroyed) => {
    if (destroyed === target) gone();
  });
  browser.once("disconnected", gone);
}
