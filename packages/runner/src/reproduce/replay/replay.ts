/*
 * Replays the network and the clock of a recording in a page of Playwright. This file stands alone: a copy of it is
 * beside every test that a reproduction writes.
 */
import type { CDPSession, Page, Request, Route } from "playwright-core";

/** A request with its answer; times are milliseconds since the recording began. */
export interface ReplayedExchange {
  readonly method: string;
  readonly url: string;
  readonly postData?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly from: number;
  readonly until: number;
  readonly failed?: boolean;
}

export interface ReplayOptions {
  readonly exchanges: readonly ReplayedExchange[];
  /** What the clock shows at the beginning, in milliseconds since the epoch. */
  readonly time: number;
  /** Whether time passes, and answers come, only as `until` says. Otherwise both do so by themselves. */
  readonly timed: boolean;
  /** Which requests are answered from the recording: those of scripts, or none. */
  readonly network: "recorded" | "live";
}

interface Held {
  readonly exchange: ReplayedExchange;
  answer(): Promise<void>;
}

/** How long a request that was sent may take to arrive here. */
const ARRIVAL_MS = 300;
/** How long the page gets for what only the server has. */
const SERVER_TIMEOUT_MS = 3_000;
/** More time than this is skipped: each timer that became due runs once. */
const MAX_RUN_MS = 60_000;

/** A few turns of a page's event loop. */
const TURNS = `new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  let left = 4;
  port1.onmessage = () => (--left === 0 ? resolve() : port2.postMessage(0));
  port2.postMessage(0);
})`;

/** Errors in timers of a controlled clock would go to the code that moves the clock. */
const REPORT_ERRORS = `for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback"]) {
  const own = globalThis[name];
  globalThis[name] = (run, ...rest) => own(typeof run !== "function" ? run : (...args) => {
    try { run(...args); } catch (error) { reportError(error); }
  }, ...rest);
}`;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Replay {
  /** Requests that were not in the recording, as `GET /path`. */
  readonly unknown = new Set<string>();
  /** What was answered from the recording. */
  readonly used = new Set<ReplayedExchange>();
  private now = 0;
  private sent = 0;
  private arrived = 0;
  private live = 0;
  private held: Held[] = [];

  private constructor(
    private readonly page: Page,
    private readonly options: ReplayOptions,
  ) {}

  /** Prepares a page before its first navigation. */
  static async start(page: Page, options: ReplayOptions): Promise<Replay> {
    const replay = new Replay(page, options);
    if (options.timed) {
      await page.clock.install({ time: options.time - 1_000 });
      await page.clock.pauseAt(options.time);
      // After the clock: what it calls must report its errors as the browser does.
      await page.context().addInitScript(REPORT_ERRORS);
    } else await page.clock.install({ time: options.time });
    // An app that has the SDK must not report this replay to the hub.
    await page.routeWebSocket(/\/debug\?(?:.*&)?role=app/, (socket) => socket.close());
    if (options.network === "recorded") {
      await replay.countRequests();
      await page.route("**/*", (route) => replay.onRequest(route));
    }
    return replay;
  }

  /** Lets time pass until so many milliseconds after the beginning, with the answers that came until then. */
  async until(ms: number): Promise<void> {
    if (!this.options.timed) return;
    for (;;) {
      await this.arrivals();
      const next = this.held.reduce((least, { exchange }) => Math.min(least, exchange.until), ms);
      await this.run(Math.max(next, this.now));
      const due = this.held.filter(({ exchange }) => exchange.until <= this.now);
      if (due.length === 0 && this.now >= ms) {
        await this.arrivals();
        if (!this.held.some(({ exchange }) => exchange.until <= this.now)) return;
      }
      this.held = this.held.filter((each) => !due.includes(each));
      for (const each of due.sort((a, b) => a.exchange.until - b.exchange.until)) {
        await each.answer();
        await this.tasks();
      }
    }
  }

  /** Waits for what the page asks of its server: code, pictures, and requests that the recording does not have. */
  async loaded(): Promise<void> {
    const ends = Date.now() + SERVER_TIMEOUT_MS;
    await this.arrivals();
    while (this.live > 0 && Date.now() < ends) await wait(5);
  }

  private async run(ms: number): Promise<void> {
    const gap = Math.round(ms - this.now);
    this.now = Math.max(this.now, ms);
    if (gap <= 0) return;
    if (gap > MAX_RUN_MS) await this.page.clock.fastForward(gap - MAX_RUN_MS);
    await this.page.clock.runFor(Math.min(gap, MAX_RUN_MS));
  }

  /** Lets the page handle an answer. Its timers stand still. */
  private async tasks(): Promise<void> {
    // A page that is being replaced has nothing to handle.
    await this.page.evaluate(TURNS).catch(() => {});
  }

  /** Waits until requests that scripts have sent are known here. */
  private async arrivals(): Promise<void> {
    const ends = Date.now() + ARRIVAL_MS;
    while (this.arrived < this.sent && Date.now() < ends) await wait(2);
    this.sent = this.arrived;
  }

  /** Only Chromium says at once that a script sent a request. */
  private async countRequests(): Promise<void> {
    const cdp: CDPSession | undefined = await this.page
      .context()
      .newCDPSession(this.page)
      .catch(() => undefined);
    cdp?.on("Network.requestWillBeSent", ({ type, redirectResponse }) => {
      if ((type === "XHR" || type === "Fetch") && !redirectResponse) this.sent++;
    });
    await cdp?.send("Network.enable");
  }

  private async onRequest(route: Route): Promise<void> {
    const request = route.request();
    const type = request.resourceType();
    if (type !== "xhr" && type !== "fetch") return this.passOn(route);
    this.arrived++;
    const exchange = this.match(request);
    if (!exchange || (exchange.body === undefined && !exchange.failed)) return this.withoutAnswer(route);
    this.used.add(exchange);
    const answer = (): Promise<void> => {
      const { status, headers, body = "" } = exchange;
      const answered = exchange.failed
        ? route.abort("failed")
        : route.fulfill({ status, headers: { ...headers, "access-control-allow-origin": "*" }, body });
      // The page may be gone, or may have cancelled it.
      return answered.catch(() => {});
    };
    if (this.options.timed && exchange.until > this.now) this.held.push({ exchange, answer });
    else await answer();
  }

  /** The recorded answer to a request: of several the one nearest in time, or the next when time is not controlled. */
  private match(request: Request): ReplayedExchange | undefined {
    const { timed, exchanges } = this.options;
    const address = withoutHash(request.url());
    const data = request.postData() ?? "";
    const candidates = exchanges.filter(
      ({ method, url, postData = "" }) =>
        method === request.method() && isLike(address, url) && isLike(data, postData),
    );
    if (!timed) return candidates.find((each) => !this.used.has(each)) ?? candidates.at(-1);
    const distance = ({ from }: ReplayedExchange): number => Math.abs(from - this.now);
    return candidates.reduce<ReplayedExchange | undefined>(
      (best, each) => (best && distance(best) <= distance(each) ? best : each),
      undefined,
    );
  }

  /** What is not in the recording is asked of the server if that changes nothing there. */
  private withoutAnswer(route: Route): Promise<void> {
    const request = route.request();
    const method = request.method();
    this.unknown.add(`${method} ${withoutHash(request.url())}`);
    if (method === "GET" || method === "HEAD") return this.passOn(route);
    return route.abort("blockedbyclient").catch(() => {});
  }

  private async passOn(route: Route): Promise<void> {
    this.live++;
    const end = (): void => {
      this.live--;
    };
    const response = route.request().response();
    await route.continue().catch(() => {});
    response.then((answer) => answer?.finished()).then(end, end);
  }
}

const MASK = "•••";

/** Whether a text is the recorded one, in which secrets are masked and a long end may be cut off. */
function isLike(text: string, recorded: string): boolean {
  if (text === recorded) return true;
  const whole = recorded.replace(/… \[\d+ more characters\]$/, MASK);
  const [first = "", ...rest] = whole.split(MASK);
  if (rest.length === 0 || !text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const next = text.indexOf(part, at);
    if (next === -1) return false;
    at = next + part.length;
  }
  return rest.at(-1) === "" || text.endsWith(rest.at(-1) ?? "");
}

function withoutHash(url: string): string {
  const [address = ""] = url.split("#");
  return address;
}

interface HarEntry {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly postData?: { readonly text: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly content: { readonly text?: string };
  };
  readonly _from: number;
  readonly _until: number;
  readonly _failed?: boolean;
}

/** The exchanges in a HAR file that a reproduction wrote. */
export function exchangesOf(har: string): ReplayedExchange[] {
  const { log } = JSON.parse(har) as { log: { entries: readonly HarEntry[] } };
  return log.entries.map(({ request, response, _from, _until, _failed }) => ({
    method: request.method,
    url: request.url,
    ...(request.postData ? { postData: request.postData.text } : {}),
    status: response.status,
    headers: Object.fromEntries(response.headers.map(({ name, value }) => [name, value])),
    ...(response.content.text === undefined ? {} : { body: response.content.text }),
    from: _from,
    until: _until,
    ...(_failed ? { failed: true } : {}),
  }));
}
