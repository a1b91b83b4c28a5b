import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CdpSession,
  type DrivenPage,
  type DriveOptions,
  drivePage,
  fromPuppeteer,
  type TelemetryBody,
} from "@debug-bridge/driver";
import type { BridgeError, UiTreeItem } from "@debug-bridge/protocol";
import { type Browser, launch, type Page } from "puppeteer-core";
import { PAGE_CHROMIUM } from "../../support/chrome/chromium.js";

type Answer =
  | string
  | { status?: number; type?: string; headers?: Record<string, string>; body?: string }
  | "hang";

/** A browser with pages that a test writes, for tests of the driver. */
export class DriverStage {
  private browser: Browser | undefined;
  private readonly server: Server;
  /** Answers by path; a string is HTML. */
  readonly answers = new Map<string, Answer>();

  constructor() {
    this.server = createServer((request, response) => {
      const answer = this.answers.get(request.url ?? "/") ?? { status: 404, body: "not here" };
      if (answer === "hang") return;
      const {
        status = 200,
        type = "text/html; charset=utf-8",
        headers = {},
        body = "",
      } = typeof answer === "string" ? { body: answer } : answer;
      response.writeHead(status, {
        "content-type": type,
        "content-length": Buffer.byteLength(body),
        ...headers,
      });
      response.end(body);
    });
  }

  async start(): Promise<void> {
    const { executablePath, args } = PAGE_CHROMIUM;
    this.browser = await launch({ executablePath, args: [...args] });
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  url(path = "/"): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** A tab that shows this HTML, driven. */
  async open(html: string, options: DriveOptions = {}): Promise<Driven> {
    const path = `/page-${this.answers.size}`;
    this.answers.set(path, html);
    this.answers.set("/favicon.ico", { status: 204 });
    const driven = await this.blank(options);
    await driven.page.run({ type: "navigate", url: this.url(path) });
    return driven;
  }

  async blank(options: DriveOptions = {}): Promise<Driven> {
    return this.drive(await (this.browser as Browser).newPage(), options);
  }

  /** Drives a tab that may already show something. */
  async drive(tab: Page, options: DriveOptions = {}): Promise<Driven> {
    const cdp = fromPuppeteer(await tab.createCDPSession(), (gone) => tab.once("close", gone));
    const page = await drivePage(cdp, { enableEval: true, ...options });
    const records: TelemetryBody[] = [];
    page.onTelemetry((record) => records.push(record));
    return { tab, cdp, page, records };
  }
}

export interface Driven {
  readonly tab: Page;
  readonly cdp: CdpSession;
  readonly page: DrivenPage;
  readonly records: TelemetryBody[];
}

/** The interactive elements that the page shows now. */
export async function itemsOf({ page, records }: Driven): Promise<UiTreeItem[]> {
  await page.run({ type: "request_ui_tree" });
  await page.recorded();
  const tree = records.findLast((record) => record.type === "ui_tree");
  return tree?.type === "ui_tree" ? tree.items : [];
}

/** What a command that must fail failed with. */
export async function failure(work: Promise<unknown>): Promise<BridgeError> {
  try {
    await work;
  } catch (thrown) {
    return thrown as BridgeError;
  }
  throw new Error("it did not fail");
}
