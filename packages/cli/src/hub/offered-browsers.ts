import { basename } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";
import {
  type BrowserOffer,
  browserAddresses,
  type JoinBrowser,
  type PooledBrowser,
} from "@debug-bridge/server";

export interface OfferedBrowsers {
  /** How many Chromes this hub launches at most. */
  readonly count: number;
  /** Addresses of browsers that run elsewhere and offer CDP; one client at a time each. */
  readonly addresses: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly home: string;
  readonly allowFiles: boolean;
}

/** The browsers that a hub offers: those that run elsewhere first, then Chromes that it launches. */
export async function offeredBrowsers(offered: OfferedBrowsers): Promise<BrowserOffer> {
  const { findChrome } = await import("@debug-bridge/runner");
  const path = findChrome();
  const own = path === undefined || offered.count === 0 ? {} : { browser: browserName(path) };
  const free = [...offered.addresses];
  let launched = 0;
  return {
    labels: { ...own, ...offered.labels },
    max: offered.count + offered.addresses.length,
    async start(sessionId, joinAsApp) {
      const address = free.shift();
      if (address === undefined && launched >= offered.count)
        throw new BridgeError("app_not_connected", "all browsers of this hub are in use");
      if (address === undefined) launched++;
      const release = once(() => {
        if (address === undefined) launched--;
        else free.push(address);
      });
      try {
        return releasing(await open(offered, sessionId, joinAsApp, address), release);
      } catch (thrown) {
        release();
        throw thrown;
      }
    },
  };
}

async function open(
  { home, allowFiles }: OfferedBrowsers,
  sessionId: string,
  joinAsApp: JoinBrowser,
  address: string | undefined,
): Promise<PooledBrowser> {
  const { openPooledBrowser } = await import("@debug-bridge/runner");
  const [endpoint] = address === undefined ? [] : await browserAddresses(address);
  return openPooledBrowser({ sessionId, home, allowFiles, hub: { joinAsApp }, endpoint });
}

function releasing(browser: PooledBrowser, release: () => void): PooledBrowser {
  return {
    isHealthy: () => browser.isHealthy(),
    close: () => browser.close().finally(release),
  };
}

/** `google-chrome-stable` is chrome. */
function browserName(path: string): string {
  return /chromium/i.test(basename(path)) ? "chromium" : "chrome";
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}
