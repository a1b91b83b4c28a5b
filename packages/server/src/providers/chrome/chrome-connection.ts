import { type BridgeError, backoffDelay } from "@debug-bridge/protocol";
import type { RelayCore } from "../../relay/relay-core.js";
import { ChromeSocket } from "./chrome-socket.js";
import { DirectChrome } from "./direct-chrome.js";
import { browserAddresses } from "./find-browser.js";

const RETRY = { firstMs: 250, maxMs: 5_000 };
const FRONT_INTERVAL_MS = 1_000;
const LIST_TIMEOUT_MS = 2_000;

const PROMPT_DELAY_MS = 2_000;
const ASKING = {
  state: "waiting",
  why: "it has not answered yet. It may be asking you to allow remote debugging",
  isAsking: true,
} as const;

/** What became of the connection, for the person who started the hub. */
export type ChromeState =
  | { readonly state: "connected"; readonly browser: string }
  /** `isAsking`: there is a browser, and it seems to wait for the person. */
  | { readonly state: "waiting"; readonly why: string; readonly isAsking?: boolean };

export interface ChromeConnectionOptions {
  /** `auto`, or the address of a browser. */
  readonly chrome: string;
  onState(state: ChromeState): void;
  /** What the browser sent and the relay cannot take. */
  onRefused(error: BridgeError): void;
}

/** Keeps the hub connected to a browser that offers remote debugging: finds it, and finds it again after it was closed. */
export class ChromeConnection {
  private readonly ending = new AbortController();
  private attempt = 0;
  private timer: NodeJS.Timeout | undefined;
  private socket: ChromeSocket | undefined;

  constructor(
    private readonly core: RelayCore,
    private readonly options: ChromeConnectionOptions,
  ) {
    void this.connect();
  }

  close(): void {
    this.ending.abort();
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private async connect(): Promise<void> {
    const problems: string[] = [];
    try {
      for (const url of await browserAddresses(this.options.chrome)) {
        if (this.ending.signal.aborted) return;
        const problem = await this.tryAddress(url);
        if (problem === undefined) return;
        problems.push(problem);
      }
    } catch (thrown) {
      problems.push(reasonOf(thrown));
    }
    this.retry(problems[0] ?? "no browser offers remote debugging");
  }

  /** Returns why a browser cannot be used. */
  private async tryAddress(url: string): Promise<string | undefined> {
    let socket: ChromeSocket | undefined;
    const asking = setTimeout(() => this.options.onState(ASKING), PROMPT_DELAY_MS);
    try {
      socket = await ChromeSocket.connect(url, this.ending.signal);
      const browser = new DirectChrome(this.core, socket, this.options.onRefused);
      const product = await browser.start();
      this.attempt = 0;
      this.socket = socket;
      const front = setInterval(() => void followFront(url, browser), FRONT_INTERVAL_MS);
      front.unref();
      void followFront(url, browser);
      socket.onClose = (reason) => {
        clearInterval(front);
        this.core.extensionLost(reason);
        this.retry(reason);
      };
      this.options.onState({ state: "connected", browser: product });
      return undefined;
    } catch (thrown) {
      socket?.close();
      return reasonOf(thrown);
    } finally {
      clearTimeout(asking);
    }
  }

  private retry(why: string): void {
    if (this.ending.signal.aborted) return;
    this.options.onState({ state: "waiting", why });
    this.timer = setTimeout(() => void this.connect(), backoffDelay(this.attempt++, RETRY));
    this.timer.unref();
  }
}

/** The browser lists the page that was used last first. One that offers no list leaves open which that is. */
async function followFront(url: string, { tabs }: DirectChrome): Promise<void> {
  const list = new URL("/json/list", url.replace(/^ws/, "http"));
  try {
    const response = await fetch(list, { signal: AbortSignal.timeout(LIST_TIMEOUT_MS) });
    const targets = (await response.json()) as { id: string; type: string }[];
    tabs.setFront(targets.find(({ id, type }) => type === "page" && tabs.ofTarget(id))?.id);
  } catch {
    // It is asked again.
  }
}

function reasonOf(thrown: unknown): string {
  const { message, cause } = thrown as Error & { cause?: Error };
  return cause?.message ?? message;
}
