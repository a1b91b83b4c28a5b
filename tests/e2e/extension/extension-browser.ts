import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page, type Worker } from "playwright-core";
import { until } from "../../fixtures.js";
import { CHROMIUM } from "../../support/chrome/chromium.js";
import { pairingKeyOf } from "../../support/chrome/pairing.js";
import { type CopyOptions, copyExtension, type HubUrls, hubSetting } from "./extension-folder.js";

/** A Chromium with the built extension, and a small web server for pages on this machine. */
export class ExtensionBrowser {
  private constructor(
    readonly context: BrowserContext,
    private readonly pages: ReturnType<typeof createServer>,
    private readonly profile: string,
    private readonly bodies: Map<string, string>,
  ) {}

  /**
   * Starts Chromium. The extension connects to these addresses from its first moment, and to nothing else.
   * `change` may edit the copy of the extension before it is loaded; `config` changes parts of its configuration.
   */
  static async launch(
    urls: HubUrls = {},
    change: (extension: string) => void = () => {},
    config: CopyOptions = {},
  ): Promise<ExtensionBrowser> {
    const bodies = new Map<string, string>();
    const pages = createServer((request, response) => {
      const body = bodies.get((request.url ?? "/").split("?")[0] ?? "/");
      response.setHeader(
        "content-type",
        request.url?.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8",
      );
      response.statusCode = body === undefined ? 404 : 200;
      response.end(body ?? "");
    });
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
    const profile = mkdtempSync(join(tmpdir(), "debug-bridge-extension-"));
    const extension = join(profile, "extension");
    copyExtension(extension, urls, config);
    change(extension);
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: CHROMIUM.executablePath,
      headless: false,
      args: [...CHROMIUM.args, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
    });
    const browser = new ExtensionBrowser(context, pages, profile, bodies);
    await until(async () => {
      const worker = context.serviceWorkers()[0];
      return worker?.evaluate(
        async () => (await chrome.scripting.getRegisteredContentScripts()).length === 2,
      );
    });
    return browser;
  }

  async worker(): Promise<Worker> {
    return until(() => this.context.serviceWorkers().at(-1));
  }

  /** Changes the address of the hub, as a person does in the popup, and pairs with the hub there. */
  async use(consoleUrl: string): Promise<void> {
    const worker = await this.worker();
    const stored = { hub: hubSetting({ consoleUrl }), pairingKey: pairingKeyOf(consoleUrl) };
    await worker.evaluate((items) => chrome.storage.local.set(items), stored);
  }

  /** Serves a page with these scripts, in order. */
  serve(path: string, ...scripts: string[]): string {
    return this.serveHtml(
      path,
      `<!doctype html><title>Test ${path}</title><body>${scripts.map((code) => `<script>${code}</script>`).join("\n")}`,
    );
  }

  serveHtml(path: string, html: string): string {
    this.bodies.set(path, html);
    return this.url(path);
  }

  url(path: string, host = "127.0.0.1"): string {
    return `http://${host}:${(this.pages.address() as { port: number }).port}${path}`;
  }

  async open(url: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(url);
    return page;
  }

  /** Opens a page that runs this code in its own script. */
  async run(code: string): Promise<Page> {
    return this.open(this.serve(`/${Math.random().toString(36).slice(2)}`, code));
  }

  async closePages(): Promise<void> {
    for (const page of this.context.pages().slice(1)) await page.close();
  }

  async close(): Promise<void> {
    await this.context.close();
    await new Promise((resolve) => this.pages.close(resolve));
    rmSync(this.profile, { recursive: true, force: true });
  }
}
