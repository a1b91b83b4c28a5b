import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** Without a window and without background traffic. */
export const CHROMIUM_FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
] as const;

const DEFAULT_TIMEOUT_MS = 120_000;

/** What Playwright turns off. A flag that is given twice counts once, so these have to be in ours. */
const OFF_IN_PLAYWRIGHT = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/**
 * What takes time from every test: the drop-down of the address bar, which is a separate page in every window and made the
 * processor time of a test page four times as high, and a process that Chromium keeps ready for the next page.
 */
const ALWAYS_OFF = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"];

/** The flag that turns features off. */
export const featuresOff = (...features: readonly string[]): string =>
  `--disable-features=${[...ALWAYS_OFF, ...features].join(",")}`;

/** The installed Chromium, as Playwright or Puppeteer launches it. */
export const CHROMIUM = {
  executablePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
  args: [...CHROMIUM_FLAGS, featuresOff(...OFF_IN_PLAYWRIGHT)],
} as const;

/**
 * The same for tests that need pages, and neither tabs nor extensions: `npm test` has a Chromium without these, which takes a
 * third of the time to start and two thirds for a page. Everywhere else it is the installed one.
 */
export const PAGE_CHROMIUM = process.env.HEADLESS_SHELL_PATH
  ? {
      executablePath: process.env.HEADLESS_SHELL_PATH,
      // Chrome gives each site a separate process; this one does so only when asked to.
      args: [...CHROMIUM.args.filter((flag) => flag !== "--headless=new"), "--site-per-process"],
    }
  : CHROMIUM;

/** Starts a Chromium for one test, which closes it. Most tests need no other browser than that of their worker. */
export async function launchChromium(extra: readonly string[] = []): Promise<Browser> {
  const { executablePath, args } = PAGE_CHROMIUM;
  return withPatience(await chromium.launch({ executablePath, args: [...args, ...extra] }));
}

/** Pages wait as long for what they expect as everything else here does: a busy machine needs more than Playwright's 30 s. */
function withPatience(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(DEFAULT_TIMEOUT_MS);
    return context;
  };
  return browser;
}

let shared: Promise<Browser> | undefined;

/**
 * The Chromium of this worker, for tests that need pages and nothing else of a browser: it is started once for all test files,
 * again if it died, and ends with the worker, to which it is connected by a pipe. A file opens its own contexts or pages, and
 * closes them with `closePages`.
 *
 * @example
 * let browser: Browser;
 * beforeAll(async () => {
 *   browser = await sharedChromium();
 * });
 * afterAll(closePages);
 */
export async function sharedChromium(): Promise<Browser> {
  const running = await shared?.catch(() => undefined);
  if (running?.isConnected()) return running;
  shared = launchChromium();
  return shared;
}

/** Closes what a test file left open in the Chromium of its worker. */
export async function closePages(): Promise<void> {
  const running = await shared?.catch(() => undefined);
  for (const context of running?.contexts() ?? []) await context.close();
}

/**
 * Opens a page without anything that the pages before it in this context left, and closes those. A new context would take
 * three times as long.
 */
export async function nextPage(context: BrowserContext): Promise<Page> {
  const before = context.pages();
  const origins = new Set(before.flatMap((page) => page.frames().map((frame) => originOf(frame.url()))));
  // First the new one: a browser without pages has more to start.
  const page = await context.newPage();
  for (const old of before) await old.close();
  await context.clearCookies();
  await context.clearPermissions();
  const cdp = await context.newCDPSession(page);
  for (const origin of origins)
    if (origin !== "null") await cdp.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await cdp.detach();
  return page;
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "null");
