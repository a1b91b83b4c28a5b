import type { BrowserContext, Page } from "playwright-core";
import type { Browser, Page as PuppetPage } from "puppeteer-core";

/** What a script of Playwright works with. */
interface PlaywrightStage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly url: (path: string, host?: string) => string;
}

/** What a script of Puppeteer works with. */
interface PuppeteerStage {
  readonly page: PuppetPage;
  readonly browser: Browser;
  readonly url: (path: string, host?: string) => string;
}

/** Small scripts by name. What one returns, or the error it throws, must be the same with and without the relay. */
export type PlaywrightCases = Record<string, (stage: PlaywrightStage) => Promise<unknown>>;
export type PuppeteerCases = Record<string, (stage: PuppeteerStage) => Promise<unknown>>;
