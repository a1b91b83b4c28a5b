import type { Browser } from "puppeteer-core";
import type { OpenChrome } from "./launch.js";

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects to a browser that runs elsewhere and opens a page in a separate context: cookies and storage of others are not
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
    await deleteContextsWithConnection(browser);
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

/** Contexts that are created from now on end with the connection: a hub that is killed leaves no page and no cookie behind. */
async function deleteContextsWithConnection(browser: Browser): Promise<void> {
  const session = await browser.target().createCDPSession();
  const connection = session.connection();
  await session.detach();
  if (!connection) return;
  // Puppeteer has no option for it.
  const send = connection.send.bind(connection);
  connection.send = (method, params, options) =>
    send(
      method,
      method === "Target.createBrowserContext" ? { ...params, disposeOnDetach: true } : params,
      options,
    );
}
