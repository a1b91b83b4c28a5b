import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type DrivenPage, drivePage, fromPuppeteer } from "@debug-bridge/driver";
import type { PageEngine } from "@debug-bridge/page";
import type { CommandInput, CommandOutcome } from "@debug-bridge/protocol";
import { type Browser, launch, type Page } from "puppeteer-core";
import { PAGE_CHROMIUM } from "../../support/chrome/chromium.js";
import { bundleScript, root } from "../page/browser.js";

/** How a page is acted on: by events that it dispatches to itself, or by trusted input over CDP. */
export const WAYS = ["sdk", "cdp"] as const;
export type Way = (typeof WAYS)[number];

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
};

export interface ActPage {
  readonly tab: Page;
  run(command: CommandInput): Promise<CommandOutcome>;
  /** The outline of the page. */
  look(): Promise<string>;
  /** Runs code of the test in the page. */
  evaluate<Value>(code: string): Promise<Value>;
}

/** Pages with real libraries in them, each acted on in both ways. */
export class ActStage {
  private browser: Browser | undefined;
  private engine = "";
  private pages = 0;
  private readonly html = new Map<string, string>();
  private readonly server: Server = createServer((request, response) => {
    void this.answer(request.url ?? "/").then(({ status, type, body }) => {
      response.writeHead(status, { "content-type": type });
      response.end(body);
    });
  });

  async start(): Promise<void> {
    const { executablePath, args } = PAGE_CHROMIUM;
    this.engine = await bundleScript(`${root}packages/page/dist/index.js`, "DebugBridgePage");
    this.browser = await launch({
      executablePath,
      args: [...args],
      defaultViewport: { width: 1000, height: 700 },
    });
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Opens HTML that may load `/lib/PACKAGE/FILE`, and waits until `ready` is true in the page. */
  async open(way: Way, html: string, ready = "true"): Promise<ActPage> {
    const path = `/page-${++this.pages}`;
    this.html.set(path, `<!doctype html><link rel="icon" href="data:,">${html}`);
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
    const tab = await (this.browser as Browser).newPage();
    const run = way === "sdk" ? await this.withEngine(tab) : await this.withDriver(tab);
    await tab.goto(url);
    await tab.waitForFunction(ready);
    return {
      tab,
      run,
      evaluate: <Value>(code: string) => tab.evaluate(code) as Promise<Value>,
      look: async () => (await run({ type: "request_ui_tree", format: "text" })).result ?? "",
    };
  }

  private async withDriver(tab: Page): Promise<DrivenPage["run"]> {
    const session = fromPuppeteer(await tab.createCDPSession(), (gone) => tab.once("close", gone));
    const page = await drivePage(session, { fresh: true });
    return (command) => page.run(command);
  }

  private async withEngine(tab: Page): Promise<DrivenPage["run"]> {
    await tab.evaluateOnNewDocument(`if (top === window) {
      ${this.engine}
      globalThis.engine = DebugBridgePage.createPageEngine({ emit() {} });
      globalThis.engine.start();
    }`);
    return async (command) => {
      const answer = await tab.evaluate(async (input) => {
        const { engine } = globalThis as unknown as { engine: PageEngine };
        const command = { sessionId: "s", timestamp: 0, origin: "agent", ...input } as never;
        try {
          return { outcome: await engine.run(command, new AbortController().signal) };
        } catch (thrown) {
          return { error: String((thrown as Error).message) };
        }
      }, command);
      if (answer.outcome === undefined) throw new Error(answer.error);
      return answer.outcome;
    };
  }

  private async answer(url: string): Promise<{ status: number; type: string; body: string | Buffer }> {
    const { pathname } = new URL(url, "http://stage");
    const html = this.html.get(pathname);
    if (html !== undefined) return { status: 200, type: TYPES[".html"] as string, body: html };
    try {
      const file = join(root, "node_modules", pathname.replace(/^\/lib\//, ""));
      const type = TYPES[extname(file)] ?? "application/octet-stream";
      return { status: 200, type, body: await readFile(file) };
    } catch {
      return { status: 404, type: "text/plain", body: "not here" };
    }
  }
}
