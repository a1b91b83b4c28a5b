import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { WebSocket, WebSocketServer } from "ws";

export interface Sent {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** What Playwright sends through a relay while it reads a page: the texts that an attacker would start from. */
export async function recordPlaywright(
  cdpUrl: string,
  read: (browser: Browser, page: Page) => Promise<void>,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  server.on("connection", (client) => {
    const relay = new WebSocket(cdpUrl);
    const early: string[] = [];
    relay.on("open", () => {
      for (const text of early) relay.send(text);
    });
    client.on("message", (data) => {
      const text = String(data);
      const { method, params = {} } = JSON.parse(text);
      sent.push({ method, params });
      if (relay.readyState === WebSocket.OPEN) relay.send(text);
      else early.push(text);
    });
    relay.on("message", (data) => client.send(String(data)));
    client.on("close", () => relay.close());
  });
  const browser = await chromium.connectOverCDP(
    `ws://127.0.0.1:${(server.address() as AddressInfo).port}/cdp`,
  );
  try {
    await read(browser, browser.contexts()[0]?.pages().at(-1) as Page);
  } finally {
    await browser.close();
    server.close();
  }
  return sent;
}
