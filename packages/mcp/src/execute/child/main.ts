import module from "node:module";
import { Socket } from "node:net";
import type { Browser, BrowserContext, BrowserType, Page } from "playwright-core";
import { FrameReader, frame } from "../frames.js";
import { CDP_FD, CONTROL_FD, type FromChild, type ToChild } from "../messages.js";
import { restrictProcess } from "./restrict.js";
import { compile } from "./scope.js";
import { explain, show } from "./show.js";
import { pipeTransport } from "./transport.js";

/*
 * The process that holds Playwright and runs the code of `execute`. It is started with Node's permission model and an
 * empty environment: see `start-child.ts`.
 */

const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

const control = new Socket({ fd: CONTROL_FD });
const cdp = new Socket({ fd: CDP_FD });
const send = (message: FromChild): void => void control.write(frame(JSON.stringify(message)));

restrictProcess(control);
// Loaded after the restrictions; its path is the only argument.
const { chromium } = module.createRequire(import.meta.url)(process.argv[2] as string) as {
  chromium: BrowserType;
};

let browser: Browser | undefined;
let context: BrowserContext | undefined;
const state: Record<string, unknown> & { page?: Page } = {};

const requests = new FrameReader(MAX_MESSAGE_BYTES);
control.on("data", (chunk: Buffer) => {
  for (const text of requests.push(chunk)) {
    const request = JSON.parse(text) as ToChild;
    if (request.type === "run") void run(request.id, request.code);
    else void open(request.id);
  }
});
// The process that started this one is gone.
control.on("close", () => process.exit());
process.on("uncaughtException", (error) => {
  control.end(frame(JSON.stringify({ type: "failed", error: explain(error) } satisfies FromChild)), () =>
    process.exit(1),
  );
});

async function open(id: string): Promise<void> {
  try {
    browser = await chromium.connectOverCDP(pipeTransport(cdp, MAX_MESSAGE_BYTES));
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
    const onLine = (line: string): void => send({ type: "line", id, line });
    const value = await compile(code, { page, context, browser, state }, onLine)();
    send({ type: "reply", id, value: show(value) });
  } catch (thrown) {
    send({ type: "reply", id, value: "", error: explain(thrown) });
  }
}
