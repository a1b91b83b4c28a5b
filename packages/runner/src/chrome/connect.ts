import type { OpenChrome } from "./launch.js";

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects to a browser that runs elsewhere and opens a page in a context of its own: cookies and storage of others are not
 * visible to it. The browser itself goes on when the context is closed.
 */
export async function connectChrome(endpoint: string): Promise<OpenChrome> {
  const { default: puppeteer } = await import("puppeteer-core");
  const browser = await puppeteer.connect({
    browserWSEndpoint: endpoint,
    defaultViewport: null,
    protocolTimeout: CONNECT_TIMEOUT_MS,
  });
  try {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    return {
      browser,
      target: page.target(),
      isShared: true,
      async close() {
        await context.close().catch(() => {});
        await browser.disconnect().catch(() => {});
      },
    };
  } catch (thrown) {
    await browser.disconnect().catch(() => {});
    throw thrown;
  }
}
