import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { type ReadyLine, startUp } from "../../fixtures.js";
import { type ConnectOptions, WireClient, type WireMessage } from "../../support/hub/wire-client.js";

export interface Stage {
  readonly ready: ReadyLine;
  readonly token: string;
  readonly home: string;
  /** An agent that knows only the wire. */
  agent(sessionId: string, options?: ConnectOptions): Promise<WireClient>;
  /** Opens a page and keeps what its sockets sent, byte for byte. */
  open(url: string): Promise<{ page: Page; sent: string[] }>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** A real hub, and pages in a real Chromium that talk to it. */
export async function stage(browser: Browser, args: string[] = [], home?: string): Promise<Stage> {
  const { ready, child, finished } = await startUp(args, home);
  const token = readFileSync(ready.tokenFile, "utf8").trim();
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return {
    ready,
    token,
    home: ready.tokenFile.replace(/\/token$/, ""),
    agent: (sessionId, options = {}) =>
      WireClient.connect(ready.hub, { role: "agent", sessionId, token, ...options }),
    async open(url) {
      const page = await context.newPage();
      const sent: string[] = [];
      page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(String(payload))));
      await page.goto(url);
      return { page, sent };
    },
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await finished;
    },
  };
}

/** Serves one HTML page on a free port. `SDK` in it becomes the script line of the hub. */
export async function servePage(
  html: string,
  hub: string,
  attributes = 'data-session="page"',
): Promise<string> {
  const body = html.replace("SDK", `<script src="${hub}/sdk.js" ${attributes}></script>`);
  const server: Server = createServer((request, response) => {
    if (request.url?.startsWith("/api")) {
      response.writeHead(request.url.includes("fail") ? 500 : 200, { "content-type": "application/json" });
      response.end("{}");
      return;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Messages of one type. */
export const ofType = (messages: readonly WireMessage[], type: string): WireMessage[] =>
  messages.filter((message) => message.type === type);
