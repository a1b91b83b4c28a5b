import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentClient, connect } from "@debug-bridge/client";
import { BrowserSessions } from "@debug-bridge/runner";
import { type Hub, startHub } from "@debug-bridge/server";
import { type Browser, launch } from "puppeteer-core";
import { removeFolder, until } from "../../fixtures.js";
import { PAGE_CHROMIUM } from "../../support/chrome/chromium.js";
import { rememberHome } from "../../support/chrome/pairing.js";
import { bundlePages } from "./bundle.js";

export const KINDS = ["app", "browser"] as const;
export type Kind = (typeof KINDS)[number];

const script = (name: string) => ({
  file: fileURLToPath(import.meta.resolve(`@debug-bridge/browser/${name}`)),
  type: "text/javascript",
});

/** One hub, one bundle of all pages, one Chrome with the SDK in its pages, and one that the runner launched. */
export class LibraryStage {
  private launched: AgentClient | undefined;

  private constructor(
    private readonly home: string,
    private readonly hub: Hub,
    private readonly server: Server,
    private readonly browser: Browser,
    private readonly sessions: BrowserSessions,
  ) {}

  static async start(): Promise<LibraryStage> {
    const home = mkdtempSync(join(tmpdir(), "debug-bridge-"));
    const assets = new Map(
      [
        "sdk.js",
        "sdk-dom.js",
        "sdk-act.js",
        "sdk-find.js",
        "sdk-record.js",
        "sdk-causes.js",
        "sdk-source.js",
        "sdk-component.js",
        "sdk-point.js",
        "sdk-replay.js",
      ].map((name) => [`/${name}`, script(name)]),
    );
    const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0, home, assets });
    rememberHome(home, hub.consoleUrl, hub.relayUrl);
    const files = await bundlePages();
    const server = createServer((request, response) => {
      const { pathname, search } = new URL(request.url ?? "/", "http://pages");
      const name = pathname.slice(1);
      const file = files.get(name);
      if (file !== undefined)
        response.setHeader("content-type", name.endsWith(".css") ? "text/css" : "text/javascript").end(file);
      else if (files.has(`${name}.js`))
        response
          .setHeader("content-type", "text/html; charset=utf-8")
          .end(pageOf(name, files.has(`${name}.css`), search === "?app" ? hub.url : undefined));
      else response.end(name === "fragment" ? "<b>Good news</b>" : "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { executablePath, args } = PAGE_CHROMIUM;
    const browser = await launch({
      executablePath,
      args: [...args],
      defaultViewport: { width: 1000, height: 700 },
    });
    return new LibraryStage(home, hub, server, browser, new BrowserSessions());
  }

  /** Opens the page of a library; the client speaks with its session. */
  async open(library: string, kind: Kind): Promise<AgentClient> {
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${library}`;
    const client = kind === "app" ? await this.openApp(library, `${url}?app`) : await this.openBrowser(url);
    await client.act({ type: "wait_for", url: `/${library}`, maxMs: 20_000 });
    return client;
  }

  private async openApp(library: string, url: string): Promise<AgentClient> {
    const [page] = await this.browser.pages();
    // As if a person looked at it: without it, elements get the focus without an event.
    const cdp = await page?.createCDPSession();
    await cdp?.send("Emulation.setFocusEmulationEnabled", { enabled: true });
    await page?.goto(url);
    const client = await this.connect(library);
    await until(() =>
      client.act({ type: "wait_for", idle: false, maxMs: 1_000 }).then(
        () => true,
        () => false,
      ),
    );
    return client;
  }

  private async openBrowser(url: string): Promise<AgentClient> {
    if (this.launched) await this.launched.act({ type: "navigate", url });
    else {
      const { hub, home } = this;
      const options = { sessionId: "launched", hub, home, config: { tempProfile: true } };
      await this.sessions.handle(`<type>start</type><url>${url}</url>`, options);
      this.launched = await this.connect("launched");
    }
    return this.launched;
  }

  private connect(sessionId: string): Promise<AgentClient> {
    return connect({ hub: this.hub.url, sessionId, token: this.hub.token });
  }

  async close(): Promise<void> {
    this.launched?.close();
    await this.sessions.closeAll();
    await this.browser.close();
    await this.hub.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await removeFolder(this.home);
  }
}

function pageOf(name: string, hasStyle: boolean, hub: string | undefined): string {
  const sdk = hub ? `<script src="${hub}/sdk.js" data-session="${name}" data-mark="false"></script>` : "";
  const style = hasStyle ? `<link rel="stylesheet" href="/${name}.css">` : "";
  return `<!doctype html><html lang="en"><head><title>${name}</title><link rel="icon" href="data:,">${sdk}${style}</head>
    <body><h1>${name}</h1><div id="app"></div><p id="state"></p><script type="module" src="/${name}.js"></script></body></html>`;
}
