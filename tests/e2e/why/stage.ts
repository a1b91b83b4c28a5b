import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type AgentClient, connect } from "@debug-bridge/client";
import { drivePage, fromPuppeteer } from "@debug-bridge/driver";
import type { TimelineRecord, WhyAnswer } from "@debug-bridge/protocol";
import { recordLine } from "@debug-bridge/protocol";
import { type Browser, launch } from "puppeteer-core";
import { WebSocketServer } from "ws";
import { until } from "../../fixtures.js";
import { PAGE_CHROMIUM } from "../../support/chrome/chromium.js";
import { type TestHub, testHub } from "../../support/hub/hub.js";
import { type Bug, pageOf, type Save } from "./bugs.js";
import { serveProject } from "./project.js";

const SCRIPTS = ["sdk.js", "sdk-dom.js", "sdk-act.js", "sdk-find.js", "sdk-causes.js"];

/** How a page is connected: with the SDK in it, or driven over CDP as a tab or a launched Chrome is. */
export type Way = "sdk" | "driven";

/** A hub, a browser, and pages with bugs. */
export class BugStage {
  private pages = 0;

  private constructor(
    readonly hub: TestHub,
    private readonly browser: Browser,
    private readonly server: Server,
  ) {}

  static async start(options: Parameters<typeof testHub>[0] = {}): Promise<BugStage> {
    const assets = new Map(
      SCRIPTS.map((name) => [
        `/${name}`,
        {
          file: fileURLToPath(import.meta.resolve(`@debug-bridge/browser/${name}`)),
          type: "text/javascript",
        },
      ]),
    );
    const hub = await testHub({ assets, ...options });
    const { executablePath, args } = PAGE_CHROMIUM;
    const browser = await launch({ executablePath, args: [...args] });
    const stage = new BugStage(hub, browser, createServer());
    await stage.listen();
    return stage;
  }

  private readonly bodies = new Map<string, string>();

  private async listen(): Promise<void> {
    this.server.on("request", (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
      const page = this.bodies.get(pathname);
      const status =
        pathname === "/api/fail" ? 500 : page === undefined && !pathname.startsWith("/api") ? 404 : 200;
      const type = page === undefined ? "application/json" : "text/html; charset=utf-8";
      const body = page ?? JSON.stringify({ q: searchParams.get("q") ?? undefined });
      setTimeout(
        () => {
          response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
          response.end(body);
        },
        Number(searchParams.get("ms") ?? 0),
      );
    });
    const sockets = new WebSocketServer({ server: this.server });
    sockets.on("connection", (socket) => socket.send(JSON.stringify({ kind: "hello" })));
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
  }

  /** Opens the page of a bug and connects it to the hub. */
  async open(bug: Bug, way: Way): Promise<BugPage> {
    const id = `${way}-${++this.pages}`;
    const project = bug.modules && (await serveProject(bug, this.hub, way === "sdk" ? id : `${id}-app`));
    const url = project?.url ?? this.serve(bug, id, way);
    const tab = await this.browser.newPage();
    if (way === "sdk") await tab.goto(url);
    else {
      const cdp = fromPuppeteer(await tab.createCDPSession(), (gone) => tab.once("close", gone));
      const page = await drivePage(cdp, { enableEval: true });
      page.connect(this.hub.joinAsApp(id, { kind: "browser" }), { sessionId: id, kind: "browser" });
      await page.run({ type: "navigate", url });
    }
    const ready = async (): Promise<boolean> => {
      const { url: shown } = (await (await this.hub.api(`/v1/sessions/${id}`)).json()) as { url?: string };
      return shown === url;
    };
    await until(ready);
    const client = await connect({ hub: this.hub.url, sessionId: id, token: this.hub.token });
    return new BugPage(this.hub, id, client, () => tab.close(), project?.save);
  }

  private serve(bug: Bug, id: string, way: Way): string {
    const script = `<script src="${this.hub.url}/sdk.js" data-session="${id}"></script>`;
    this.bodies.set(`/${id}`, pageOf(bug, way === "sdk" ? script : ""));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${id}`;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** One page with a bug. */
export class BugPage {
  constructor(
    private readonly hub: TestHub,
    readonly id: string,
    readonly client: AgentClient,
    readonly close: () => Promise<void>,
    private readonly save: ((save: Save) => void) | undefined,
  ) {}

  async run({ actions }: Bug): Promise<void> {
    for (const each of actions) {
      if (!("save" in each)) await this.client.act(each);
      else {
        this.save?.(each);
        await this.client.act({ type: "wait_for", edit: each.save, maxMs: 30_000, timeoutMs: 40_000 });
      }
    }
  }

  /** All of them: a development server serves an app in many files. */
  async records(): Promise<TimelineRecord[]> {
    const records: TimelineRecord[] = [];
    for (let since = 0; ; ) {
      const response = await this.hub.api(`/v1/sessions/${this.id}/events?since=${since}`);
      const { events, next } = (await response.json()) as { events: TimelineRecord[]; next: number };
      records.push(...events);
      if (next === since) return records;
      since = next;
    }
  }

  /** The newest record with this text, once there is one. */
  async find(text: string): Promise<TimelineRecord> {
    let found: TimelineRecord | undefined;
    await until(async () => {
      found = (await this.records()).findLast(
        (record) =>
          /^(error|unhandledrejection|console|network)$/.test(record.type) &&
          recordLine(record).text.includes(text),
      );
      return found !== undefined;
    }, 10_000);
    return found as TimelineRecord;
  }

  async why(record?: number): Promise<WhyAnswer> {
    const query = record === undefined ? "" : `?record=${record}`;
    return (await (await this.hub.api(`/v1/sessions/${this.id}/why${query}`)).json()) as WhyAnswer;
  }
}
