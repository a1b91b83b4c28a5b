import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentClient, connect } from "@debug-bridge/client";
import type { SessionSummary } from "@debug-bridge/protocol";
import { BrowserSessions, openPooledBrowser } from "@debug-bridge/runner";
import type { HubOptions } from "@debug-bridge/server";
import { type Browser, launch } from "puppeteer-core";
import { until } from "../../fixtures.js";
import { PAGE_CHROMIUM } from "../../support/chrome/chromium.js";
import { Stage } from "../relay/stage.js";
import { type Shop, serveShop } from "./shop.js";

/** One page in three ways: with the SDK in it, as a tab of a person's Chrome, in a Chrome that the runner launched. */
export const KINDS = ["app", "tab", "browser"] as const;
export type Kind = (typeof KINDS)[number];

const script = (name: string) => ({
  file: fileURLToPath(import.meta.resolve(`@debug-bridge/browser/${name}`)),
  type: "text/javascript",
});

/** Fields whose values differ from one run to the next. */
const TIMES: ReadonlySet<string> = new Set(["durationMs", "version", "timestamp"]);

/** Every kind of session that shows pages, each from its real provider, in one hub. */
export class AllKinds {
  readonly clients = {} as Record<Kind, AgentClient>;
  /** Session ids. */
  readonly ids = {} as Record<Kind, string>;
  readonly browsers = new BrowserSessions();
  private loads = 0;
  /** The Chrome that was launched for clients to look at, where none may launch one. */
  private pooled: Awaited<ReturnType<typeof openPooledBrowser>> | undefined;
  /** The number of each page's first ref. Every page load begins at a random one, so that old refs are refused. */
  private readonly firstRef = {} as Record<Kind, number>;

  private constructor(
    readonly stage: Stage,
    readonly shop: Shop,
    private readonly appBrowser: Browser,
    private readonly isReadOnly: boolean,
  ) {}

  static async start(options: HubOptions = {}, which: readonly Kind[] = KINDS): Promise<AllKinds> {
    const assets = new Map([
      ["/sdk.js", script("sdk.js")],
      ["/sdk-dom.js", script("sdk-dom.js")],
      ["/sdk-act.js", script("sdk-act.js")],
      ["/sdk-find.js", script("sdk-find.js")],
      ["/sdk-record.js", script("sdk-record.js")],
      ["/sdk-causes.js", script("sdk-causes.js")],
      ["/sdk-point.js", script("sdk-point.js")],
      ["/sdk-replay.js", script("sdk-replay.js")],
      ["/sdk-source.js", script("sdk-source.js")],
      ["/sdk-component.js", script("sdk-component.js")],
    ]);
    const stage = await Stage.start({ assets, ...options });
    const shop = await serveShop(stage.hub.url);
    const { executablePath, args } = PAGE_CHROMIUM;
    const kinds = new AllKinds(
      stage,
      shop,
      await launch({ executablePath, args: [...args] }),
      options.readOnly === true,
    );
    await kinds.open(which);
    return kinds;
  }

  get hub(): Stage["hub"] {
    return this.stage.hub;
  }

  get home(): string {
    return dirname(this.hub.tokenFile);
  }

  url(kind: Kind): string {
    return this.shop.url(`/?${kind}`);
  }

  /** Sends one instruction of `browser_action` to the launched Chrome. */
  browserAction(instruction: string, sessionId = "launched"): ReturnType<BrowserSessions["handle"]> {
    const { hub, home } = this;
    return this.browsers.handle(instruction, { sessionId, hub, home, config: { tempProfile: true } });
  }

  async sessions(): Promise<SessionSummary[]> {
    const headers = { authorization: `Bearer ${this.hub.token}` };
    const response = await fetch(`${this.hub.url}/v1/sessions`, { headers });
    return ((await response.json()) as { sessions: SessionSummary[] }).sessions;
  }

  connect(kind: Kind): Promise<AgentClient> {
    return connect({ hub: this.hub.url, sessionId: this.ids[kind], token: this.hub.token });
  }

  /** Loads the page again, so that its refs and its state start again. */
  async reload(kind: Kind): Promise<void> {
    const client = this.clients[kind];
    const load = `load=${++this.loads}`;
    let last: unknown = await client
      .act({ type: "navigate", url: `${this.url(kind)}&${load}` })
      .catch((thrown: unknown) => thrown);
    // A page with the SDK answers before it leaves, so the first tries may reach the old page.
    const hasArrived = async (): Promise<boolean> => {
      last = await client
        .act({ type: "wait_for", url: load, maxMs: 1_000 })
        .catch((thrown: unknown) => thrown);
      return !(last instanceof Error);
    };
    await until(hasArrived, 60_000).catch(() => {
      throw new Error(`${kind} did not load the page again: ${String(last)}`, { cause: last });
    });
    await client.act({ type: "wait_for", text: "Row 29" });
    await this.readFirstRef(kind);
  }

  /**
   * An answer in a form that must be the same in all kinds: refs are counted from the page's first one, and times and the
   * page's own address are removed.
   */
  comparable<Value>(kind: Kind, value: Value): Value {
    const first = this.firstRef[kind];
    return JSON.parse(JSON.stringify(value), (key, each: unknown) => {
      if (TIMES.has(key)) return 0;
      if (typeof each !== "string") return each;
      return each
        .replace(/\be(\d{2,9})\b/g, (_, ref: string) => `e+${Number(ref) - first}`)
        .replace(/\?(app|tab|browser)(&load=\d+)?/g, "");
    }) as Value;
  }

  /** Ends the hub, which writes out everything that its audit log only counted so far. */
  async closeHub(): Promise<void> {
    const { hub } = this.stage;
    await hub.close();
    this.stage.hub = { ...hub, close: async () => {} };
  }

  /** Closes the browser with the SDK's page. */
  closeApp(): Promise<void> {
    return this.appBrowser.close();
  }

  async close(): Promise<void> {
    for (const client of Object.values(this.clients)) client.close();
    await this.browsers.closeAll();
    await this.pooled?.close();
    await this.appBrowser.close();
    await this.stage.close();
    await this.shop.close();
  }

  private async open(which: readonly Kind[]): Promise<void> {
    for (const kind of which) {
      this.ids[kind] = await this.openKind(kind);
      this.clients[kind] = await this.connect(kind);
      await this.readFirstRef(kind);
    }
  }

  /** Opens the page. Returns the id of its session. */
  private async openKind(kind: Kind): Promise<string> {
    switch (kind) {
      case "app": {
        const [page] = await this.appBrowser.pages();
        await page?.goto(this.url(kind));
        return "shop";
      }
      case "browser":
        if (this.isReadOnly) await this.openPooled();
        else await this.browserAction(`<type>start</type><url>${this.url(kind)}</url>`);
        return "launched";
      case "tab": {
        await this.stage.person.open(this.url(kind));
        const tab = await until(async () =>
          (await this.sessions()).find(({ url }) => url?.endsWith("/?tab")),
        );
        return tab.id;
      }
    }
  }

  private async openPooled(): Promise<void> {
    const { hub, home } = this;
    this.pooled = await openPooledBrowser({ sessionId: "launched", hub, home });
    const [page] = await this.pooled.browser.pages();
    await page?.goto(this.url("browser"));
  }

  private async readFirstRef(kind: Kind): Promise<void> {
    const { text } = await this.clients[kind].observe();
    const refs = text.split("\n").flatMap((line) => /\be(\d+) /.exec(line)?.[1] ?? []);
    this.firstRef[kind] = Math.min(...refs.map(Number));
  }
}
