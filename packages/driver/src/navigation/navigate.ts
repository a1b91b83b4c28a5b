import { type Activity, cut, happeningLists, Masker } from "@debug-bridge/page/records";
import {
  BridgeError,
  type CommandOf,
  type CommandOutcome,
  type Receipt,
  type Settle,
} from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import type { Documents, LiveDocument } from "./documents.js";

const NAVIGATION_TIMEOUT_MS = 30_000;
/** After a document is complete, for the requests and rendering that follow. */
const DEFAULT_SETTLE_MS = 3_000;
/** How long a document that is being left may take. After it, it stays: a download, an empty response. */
const FOLLOW_MS = 10_000;

const POLL_MS = 50;

const masker = new Masker();

export interface NavigationContext {
  readonly cdp: CdpSession;
  readonly documents: Documents;
  readonly activity: Activity;
  /** Informs a document that it was not replaced after all. */
  stayed(document: LiveDocument): Promise<void>;
  /** Waits until this document is quiet; true when it became so. */
  quiet(document: LiveDocument, maxMs: number): Promise<boolean>;
  /** Waits until what was captured so far is known to `activity`. */
  recorded(): Promise<void>;
  /** Whether pages may be files of this machine. */
  readonly allowFiles: boolean;
}

/** Navigates to a URL and waits according to `waitUntil` and `settle`. A page that cannot be loaded is an error. */
export async function navigateTo(
  context: NavigationContext,
  command: Pick<CommandOf<"navigate">, "url" | "settle" | "timeoutMs" | "waitUntil">,
): Promise<CommandOutcome> {
  const { cdp, documents } = context;
  const url = readUrl(command.url, documents.url, context.allowFiles);
  const from = documents.url;
  const before = documents.current;
  const startedAt = performance.now();
  const timeoutMs = command.timeoutMs ?? NAVIGATION_TIMEOUT_MS;
  const failed = (why: string, code: "navigation_failed" | "timeout" = "navigation_failed"): BridgeError =>
    new BridgeError(code, `${url} could not be loaded: ${why}`, { field: "url", url, reason: why });

  documents.reloads();
  const sent = cdp.send<{ errorText?: string; loaderId?: string; isDownload?: boolean }>("Page.navigate", {
    url,
  });
  const answer = await withTime(sent, timeoutMs, () => {
    cdp.send("Page.stopLoading").catch(() => {});
    return failed(`there was no answer within ${timeoutMs} ms`, "timeout");
  });
  if (answer.isDownload)
    return {
      message: "this URL is a download; the page stayed",
      receipt: receiptOf(context, startedAt, from, true),
    };
  if (answer.errorText) {
    await context.recorded();
    throw failed(answer.errorText);
  }
  const { loaderId } = answer;
  const isNewDocument = loaderId !== undefined;
  const { waitUntil = command.settle === false ? "commit" : "settled" } = command;
  if (waitUntil !== "settled") {
    const left = timeoutMs - (performance.now() - startedAt);
    if (isNewDocument && !(await reach(context, loaderId, waitUntil, left)))
      throw new BridgeError(
        "timeout",
        `${url} did not reach "${waitUntil}" within ${timeoutMs} ms; it is still loading. Look at the page, or use an earlier waitUntil`,
        { timeoutMs, waitUntil },
      );
    await context.recorded();
    return { receipt: receiptOf(context, startedAt, from, false) };
  }
  const settled = await arrive(
    context,
    isNewDocument ? before : undefined,
    command.settle || undefined,
    timeoutMs,
  );
  return { receipt: receiptOf(context, startedAt, from, settled) };
}

/** Names of the browser's own milestones. Its network is idle after 500 ms with at most so many requests. */
const MILESTONES = {
  commit: { name: "commit", maxRequests: undefined },
  domcontentloaded: { name: "DOMContentLoaded", maxRequests: undefined },
  load: { name: "load", maxRequests: undefined },
  networkidle0: { name: "networkIdle", maxRequests: 0 },
  networkidle2: { name: "networkAlmostIdle", maxRequests: 2 },
} as const;

/** Waits until the document of a loader reached a milestone; false on timeout. */
async function reach(
  { documents, activity }: NavigationContext,
  loaderId: string,
  waitUntil: keyof typeof MILESTONES,
  timeoutMs: number,
): Promise<boolean> {
  const ends = performance.now() + timeoutMs;
  const { name, maxRequests } = MILESTONES[waitUntil];
  if (!(await documents.until(() => documents.hasReached(loaderId, name), timeoutMs))) return false;
  // Requests of frames count too.
  while (maxRequests !== undefined && activity.inFlight() > maxRequests) {
    if (performance.now() > ends) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

/** How things were when an action began that its document did not survive. */
interface Departure {
  readonly startedAt: number;
  readonly from: string;
  readonly loadsEnded: number;
  readonly settle: Settle;
}

/** After an action whose document is being replaced: waits for the next one and reports on both. */
export async function followNavigation(
  context: NavigationContext,
  left: LiveDocument,
  { startedAt, from, settle, loadsEnded }: Departure,
): Promise<Receipt> {
  const { documents } = context;
  if (settle === false) return receiptOf(context, startedAt, from, false);
  const stayed = (): boolean => documents.current === left && documents.loadsEnded > loadsEnded;
  await documents.until(() => documents.current !== left || stayed(), FOLLOW_MS);
  const isSame = documents.current === left;
  if (isSame) await context.stayed(left).catch(() => {});
  const settled = await arrive(context, isSame ? undefined : left, settle, FOLLOW_MS);
  return receiptOf(context, startedAt, from, settled);
}

/** After something that was not done in the page, such as the answer to a dialog: waits until the page is quiet. */
export async function receiptAfter(
  context: NavigationContext,
  { startedAt, from, settle }: Pick<Departure, "startedAt" | "from" | "settle">,
): Promise<Receipt> {
  const settled = settle !== false && (await arrive(context, undefined, settle, FOLLOW_MS));
  return receiptOf(context, startedAt, from, settled);
}

async function arrive(
  { documents, quiet, recorded }: NavigationContext,
  left: LiveDocument | undefined,
  settle: Exclude<Settle, false>,
  timeoutMs: number,
): Promise<boolean> {
  const shown = (): boolean => documents.current?.loaded === true && documents.current !== left;
  if (!(await documents.until(shown, timeoutMs)) || !documents.current) return false;
  const settled = await quiet(documents.current, settle?.maxMs ?? DEFAULT_SETTLE_MS).catch(() => false);
  await recorded();
  return settled;
}

function receiptOf(
  { activity, documents }: NavigationContext,
  startedAt: number,
  from: string,
  settled: boolean,
): Receipt {
  const to = documents.url;
  return {
    settled,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    ...cut(happeningLists(activity.since(startedAt))),
    ...(to === from ? {} : { navigation: { from: masker.url(from), to: masker.url(to) } }),
  };
}

function readUrl(text: string, base: string, allowFiles: boolean): string {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    throw new BridgeError(
      "navigation_failed",
      `"${text}" is not a URL; write it with its protocol, as in http://localhost:3000`,
      {
        field: "url",
      },
    );
  }
  if (["http:", "https:"].includes(url.protocol) || url.href === "about:blank") return url.href;
  if (url.protocol === "file:") {
    if (allowFiles) return url.href;
    throw new BridgeError(
      "navigation_failed",
      "pages from files are off, since every file of this machine could be read; serve the folder over http, or ask the person who starts the hub or the browser to use --allow-files",
      { field: "url" },
    );
  }
  throw new BridgeError(
    "navigation_failed",
    `a page does not navigate to ${url.protocol} URLs; use http or https`,
    {
      field: "url",
    },
  );
}

async function withTime<Value>(work: Promise<Value>, ms: number, late: () => BridgeError): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const clock = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, clock]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
