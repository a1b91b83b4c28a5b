import { format, inspect } from "node:util";
import { createContext, runInContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { FromWorker, OpenRequest, ToWorker } from "./messages.js";

const MAX_LINE = 10_000;
const INSPECT = { depth: 6, maxArrayLength: 200, maxStringLength: MAX_LINE, breakLength: 120 } as const;

const port = parentPort as NonNullable<typeof parentPort>;
const send = (message: FromWorker): void => port.postMessage(message);

let browser: Browser | undefined;
let context: BrowserContext | undefined;
const state: Record<string, unknown> & { page?: Page } = {};

port.on("message", (message: ToWorker) => {
  if (message.type === "run") void run(message.id, message.code);
  else void open(message.id, message);
});

async function open(id: string, request: OpenRequest): Promise<void> {
  try {
    browser =
      request.type === "connect"
        ? await chromium.connectOverCDP(request.cdpUrl)
        : await chromium.connect(request.endpoint);
    context = browser.contexts()[0] ?? (await browser.newContext());
    send({ type: "reply", id, value: "" });
  } catch (thrown) {
    send({ type: "reply", id, value: "", error: (thrown as Error).message });
  }
}

/** The page of this call: the one in `state.page`, else the first one, else a new one. */
async function currentPage(at: BrowserContext): Promise<Page> {
  if (state.page && !state.page.isClosed()) return state.page;
  state.page = at.pages()[0] ?? (await at.newPage());
  return state.page;
}

async function run(id: string, code: string): Promise<void> {
  try {
    if (!browser?.isConnected() || !context)
      throw new Error("the connection to Chrome is gone; use reset, then try again");
    const page = await currentPage(context);
    const value: unknown = await compile(id, code, page)();
    send({ type: "reply", id, value: show(value) });
  } catch (thrown) {
    send({ type: "reply", id, value: "", error: explain(thrown) });
  }
}

/** Passes what code needs by name. This keeps the scope tidy; it is not a sandbox. */
function compile(id: string, code: string, page: Page): () => Promise<unknown> {
  const print =
    (level: string) =>
    (...args: unknown[]): void =>
      send({
        type: "line",
        id,
        line: `${level === "log" ? "" : `${level}: `}${format(...args)}`.slice(0, MAX_LINE),
      });
  const scope = createContext({
    ...{ page, context, browser, state },
    console: Object.fromEntries(
      ["log", "info", "warn", "error", "debug"].map((level) => [level, print(level)]),
    ),
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask },
    ...{ URL, URLSearchParams, Buffer, TextEncoder, TextDecoder, AbortController, structuredClone },
  });
  return runInContext(`(async () => {\n${code}\n})`, scope, { filename: "execute.js", lineOffset: -1 });
}

function show(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    const json = JSON.stringify(value);
    // Maps, pages and functions, which JSON loses, are shown the way Node prints them.
    if (json !== undefined && isPlain(value)) return json;
  } catch {
    // Cycles and bigints: printed below.
  }
  return inspect(value, INSPECT);
}

function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return value !== undefined && typeof value !== "function";
  if (depth > 20) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  const name = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor
    ?.name;
  return (
    (name === undefined || name === "Object") &&
    Object.values(value).every((item) => isPlain(item, depth + 1))
  );
}

function explain(thrown: unknown): string {
  const { name, message, stack } = (thrown ?? {}) as Error;
  if (message === undefined) return inspect(thrown, INSPECT);
  const place = /execute\.js:(\d+)/.exec(stack ?? "");
  return `${name ?? "Error"}: ${message}${place ? ` (line ${place[1]})` : ""}`;
}
