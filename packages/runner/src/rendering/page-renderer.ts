import { readFile } from "node:fs/promises";
import { runnerConfigSchema } from "@debug-bridge/protocol/schemas";
import type { Page } from "puppeteer-core";
import { launchChrome, type OpenChrome } from "../chrome/launch.js";
import { ActionLogs } from "../report/logs.js";

const DEFAULT_QUALITY = 25;
/** A client that takes one picture often takes more. */
const IDLE_TIMEOUT_MS = 30_000;
/** Chrome renders no larger pictures. */
const MAX_SIDE = 16_384;
const MAX_VIEWPORT = 4_096;
/** Nothing is loaded, whatever the page says: neither by the policy nor by the network. */
const POLICY = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; img-src data:\">";

/** A page as it was sent by an app; see `PageSnapshot` of the hub. */
export interface RenderedPage {
  readonly events: string;
  readonly isDark: boolean;
  readonly isQuirky: boolean;
  readonly of?: number;
  readonly labels?: readonly (readonly [ref: string, id: number])[];
}

export interface RendererOptions {
  /** The script that builds a page from the events of a replay: `draw-page.js` of the dashboard. */
  readonly script: string;
  readonly chromePath?: string | undefined;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What `draw-page.js` answers, in CSS pixels of the page. */
interface Drawn {
  /** How far the page is scrolled. */
  readonly x: number;
  readonly y: number;
  readonly viewport: Pick<Box, "width" | "height">;
  readonly whole: Pick<Box, "width" | "height">;
  /** Where the element is that is wanted. */
  readonly box?: Box;
}

/** Draws pages from their snapshots in a Chrome that it launches when it is needed, and closes soon after. */
export class PageRenderer {
  private chrome: Promise<OpenChrome> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running = 0;

  constructor(private readonly options: RendererOptions) {}

  async render(
    page: RenderedPage,
    { fullPage, quality = DEFAULT_QUALITY }: { fullPage: boolean; quality?: number | undefined },
  ): Promise<{ mimeType: "image/jpeg"; data: string; width: number; height: number }> {
    clearTimeout(this.timer);
    this.running++;
    try {
      const { browser } = await this.launched();
      const context = await browser.createBrowserContext();
      try {
        return await this.draw(await context.newPage(), page, fullPage, quality);
      } finally {
        await context.close().catch(() => {});
      }
    } finally {
      this.running--;
      if (this.running === 0) this.timer = setTimeout(() => void this.close(), IDLE_TIMEOUT_MS).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    const { chrome } = this;
    this.chrome = undefined;
    await chrome?.then((open) => open.close()).catch(() => {});
  }

  private async launched(): Promise<OpenChrome> {
    const known = await this.chrome?.catch(() => undefined);
    if (known?.browser.connected) return known;
    const { chromePath } = this.options;
    const config = runnerConfigSchema.parse({ tempProfile: true });
    this.chrome = launchChrome(config, { chromePath }, new ActionLogs());
    return this.chrome;
  }

  private async draw(page: Page, given: RenderedPage, fullPage: boolean, quality: number) {
    await page.setJavaScriptEnabled(false);
    await page.setOfflineMode(true);
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: given.isDark ? "dark" : "light" },
    ]);
    // Parsed and written again: what comes from a page is code in the next step if it is not JSON.
    const events = JSON.parse(given.events) as readonly unknown[];
    await page.setViewport(viewportOf(events));
    const document = `${given.isQuirky ? "" : "<!doctype html>"}${POLICY}`;
    await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(document)}`);
    await page.evaluate(await readFile(this.options.script, "utf8"));
    const [of, labels] = [given.of, given.labels ?? []].map((value) => JSON.stringify(value));
    const drawn = (await page.evaluate(
      `DebugBridgeDrawPage(${JSON.stringify(events)}, ${of}, ${labels})`,
    )) as Drawn;
    const size = fullPage || drawn.box ? drawn.whole : drawn.viewport;
    const box = drawn.box ?? { x: fullPage ? 0 : drawn.x, y: fullPage ? 0 : drawn.y, ...size };
    const clip = { ...box, width: side(box.width), height: side(box.height) };
    const data = await page.screenshot({
      type: "jpeg",
      encoding: "base64",
      quality,
      clip,
      captureBeyondViewport: fullPage || drawn.box !== undefined,
    });
    return { mimeType: "image/jpeg" as const, data, width: clip.width, height: clip.height };
  }
}

const side = (value: number): number => Math.min(Math.max(Math.ceil(value), 1), MAX_SIDE);

/** The size of the viewport, which is in the first event. */
function viewportOf(events: readonly unknown[]): { width: number; height: number } {
  const { data } = Object(Object(events)[0]) as { data?: unknown };
  const { width, height } = Object(data) as { width?: unknown; height?: unknown };
  const bounded = (value: unknown): number => Math.min(side(Number(value) || 1), MAX_VIEWPORT);
  return { width: bounded(width), height: bounded(height) };
}
