import type { PageEngine, PageEngineOptions, TelemetryBody } from "@debug-bridge/page";
import type { CommandInput, CommandOutcome, UiTreeItem } from "@debug-bridge/protocol";
import type { BrowserContext, Page } from "playwright-core";
import { closePages, nextPage, sharedChromium } from "../../support/chrome/chromium.js";
import { bundleScript, root } from "./browser.js";

/** An answer as it would look on the wire. */
export type Answer = Partial<CommandOutcome> & {
  ok: boolean;
  code?: string;
  message?: string;
  details?: { candidates?: UiTreeItem[] };
};

interface PageGlobals {
  DebugBridgePage: { createPageEngine(options: PageEngineOptions): PageEngine };
  engine: PageEngine;
  messages: TelemetryBody[];
}

let engineScript: Promise<string> | undefined;

/** The page engine as one script, with the global `DebugBridgePage`. */
function engineBundle(): Promise<string> {
  engineScript ??= bundleScript(`${root}packages/page/dist/index.js`, "DebugBridgePage");
  return engineScript;
}

/** Options of an engine that can be sent into a page. */
export type SendableOptions = Omit<
  PageEngineOptions,
  "emit" | "window" | "input" | "getCustomState" | "getUiTreeItems" | "redact"
> & {
  redact?: string[];
};

/** A page with a running engine. */
export class EnginePage {
  private constructor(readonly page: Page) {}

  /** Loads HTML at its own origin, with the engine in place before the page's own scripts. */
  static async open(
    context: BrowserContext,
    html: string,
    options: SendableOptions = {},
    setup = "",
  ): Promise<EnginePage> {
    const page = await nextPage(context);
    await page.route("http://app.test/**", (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.startsWith("/api")) return route.fallback();
      return route.fulfill({
        contentType: "text/html; charset=utf-8",
        body: `<!doctype html><html><head><title>Test</title></head><body>${html}</body></html>`,
      });
    });
    const script = await engineBundle();
    await page.addInitScript(`${script}
      globalThis.DebugBridgePage = DebugBridgePage;
      globalThis.messages = [];
      // A new tab starts at a random number; tests read better when it is the first.
      try { for (const kind of ["refs", "ids", "versions"]) sessionStorage["debug-bridge." + kind] ??= "1"; } catch {}
      ${setup}
      globalThis.engine = DebugBridgePage.createPageEngine({
        enableEval: true, ...${JSON.stringify(options)}, ...(globalThis.engineOptions ?? {}),
        emit: (message) => globalThis.messages.push(message),
      });
      globalThis.engine.start();`);
    await page.goto("http://app.test/");
    return new EnginePage(page);
  }

  announce(): Promise<void> {
    return this.page.evaluate(() => (globalThis as unknown as PageGlobals).engine.announce());
  }

  run(command: CommandInput): Promise<Answer> {
    return this.page.evaluate(async (input) => {
      const { engine } = globalThis as unknown as PageGlobals;
      const command = { sessionId: "s", timestamp: Date.now(), origin: "agent", ...input };
      try {
        const outcome = await engine.run(
          command as Parameters<PageEngine["run"]>[0],
          new AbortController().signal,
        );
        return { ok: true, ...outcome };
      } catch (thrown) {
        const { code, message, details } = thrown as { code?: string; message?: string; details?: object };
        return { ok: false, code, message, details };
      }
    }, command) as Promise<Answer>;
  }

  async tree(): Promise<UiTreeItem[]> {
    return this.page.evaluate(() =>
      (globalThis as unknown as PageGlobals).engine.view.tree.refresh().items(),
    );
  }

  async item(find: (item: UiTreeItem) => boolean): Promise<UiTreeItem> {
    const found = (await this.tree()).find(find);
    if (!found) throw new Error("no such item in the tree");
    return found;
  }

  async text(): Promise<string> {
    const { result } = await this.run({ type: "request_ui_tree", format: "text" });
    return result ?? "";
  }

  messages<Type extends TelemetryBody["type"]>(
    type: Type,
  ): Promise<Extract<TelemetryBody, { type: Type }>[]> {
    return this.page.evaluate(
      (wanted) =>
        (globalThis as unknown as PageGlobals).messages.filter((message) => message.type === wanted),
      type,
    ) as Promise<Extract<TelemetryBody, { type: Type }>[]>;
  }

  /** Waits until a message of this type passes. */
  async waitForMessage<Type extends TelemetryBody["type"]>(
    type: Type,
    passes: (message: Extract<TelemetryBody, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<TelemetryBody, { type: Type }>> {
    for (const ends = Date.now() + 60_000; ; ) {
      const found = (await this.messages(type)).find(passes);
      if (found) return found;
      if (Date.now() > ends)
        throw new Error(
          `no ${type} message as wanted; got ${JSON.stringify(await this.messages(type)).slice(0, 2_000)}`,
        );
      await this.page.waitForTimeout(20);
    }
  }

  allMessages(): Promise<TelemetryBody[]> {
    return this.page.evaluate(() => (globalThis as unknown as PageGlobals).messages);
  }
}

/** One context per test file, one page per test. */
export class EngineBrowser {
  private context: BrowserContext | undefined;

  async start(): Promise<void> {
    const browser = await sharedChromium();
    this.context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  }

  open(html: string, options: SendableOptions = {}, setup = ""): Promise<EnginePage> {
    return EnginePage.open(this.context as BrowserContext, html, options, setup);
  }

  stop(): Promise<void> {
    return closePages();
  }
}
