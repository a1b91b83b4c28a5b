import {
  type BrowserResponse,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
  type Log,
  type LoopState,
  type Metrics,
  type NetworkEvent,
  receiptLines,
  requestLine,
} from "@debug-bridge/protocol";
import { FRAME_TOKENS, fitByWeight, fitLines, fitStart } from "./fit.js";

/** What opening a browser reports unless more is requested: `observe` shows the page, `logs` the rest. */
const START_TOKENS = 240;
/** Shares of the budget; the page gets what the others leave. */
const HEAD = 0.5;
const LOGS = 0.3;
const REQUESTS = 0.2;
/** Entries of the runner itself are a little more important than those of the page. */
const TOOL_BONUS = 0.5;
const WARNING = 3;
const MORE = "[more is on the page; call observe]";

/** The budget of a report: what was requested, else what its action needs. */
export function reportBudget({ state }: BrowserResponse, maxTokens: number | undefined): number {
  return maxTokens ?? (state?.lastAction?.type === "start" ? START_TOKENS : DEFAULT_MAX_TOKENS);
}

/** The report of one `browser_action` as text within a budget. All of it may quote the page. */
export function browserReport(response: BrowserResponse, maxTokens?: number): string {
  const isShort = maxTokens === undefined && response.state?.lastAction?.type === "start";
  const room = reportBudget(response, maxTokens) - FRAME_TOKENS;
  const page = pageOf(response.result);
  const head = fitStart(headOf(response, page), Math.floor(room * HEAD), "ask for less with evaluate");
  const log = fitByWeight(response.logs.filter(isWorthy(isShort)).map(weighedLog), room * LOGS);
  const requests = fitByWeight(
    response.networkEvents
      .filter((event) => !isShort || (hasFailed(event) && !isFavicon(event)))
      .map(weighedRequest),
    room * REQUESTS,
  );
  const rest = [
    ...section("logs", log, "ask for fewer with logFilter"),
    ...section(isShort ? "failed requests" : "requests", requests, "failed ones are shown first"),
  ];
  const left = room - estimateTokens([head, ...rest].join("\n"));
  return [head, ...(page ? fitLines(page.lines, left, MORE) : []), ...rest].join("\n");
}

function headOf(response: BrowserResponse, page: PageResult | undefined): string {
  const { error, receipt, result, state, metrics, next = [], shutdown, sessionId } = response;
  return [
    ...(error ? [error.message, ...(error.hint ? [`hint: ${error.hint}`] : [])] : []),
    ...(error?.details ? [`details: ${JSON.stringify(error.details)}`] : []),
    ...(shutdown ? [`the browser was closed: ${shutdown}`] : []),
    ...next.map((step) => `next: ${step}`),
    ...(receipt ? receiptLines(receipt) : []),
    ...(page ? [page.title] : []),
    ...(result === undefined || page
      ? []
      : [`result: ${typeof result === "string" ? result : JSON.stringify(result)}`]),
    ...(state && state.totalErrors > 0 ? [stateLine(state)] : []),
    ...(metrics ? metricsLine(metrics) : []),
    ...(sessionId ? [`session: ${sessionId}`] : []),
  ].join("\n");
}

interface PageResult {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What a visit returns: where it is, and the page as fenced text. */
function pageOf(result: unknown): PageResult | undefined {
  const { url, status, title, ui, isWhole } = (result ?? {}) as Record<string, unknown>;
  if (typeof url !== "string" || typeof ui !== "string") return undefined;
  const answered = status === undefined ? "" : ` (${status})`;
  // The whole report is fenced, so the page needs no fence of its own.
  const lines = [...ui.split("\n").slice(1, -1), ...(isWhole === false ? [MORE] : [])];
  return { title: `at ${url}${answered} ${JSON.stringify(title)}`, lines };
}

function stateLine({
  totalErrors,
  consecutiveErrors,
  jsErrors,
  networkErrors,
  failedActions,
}: LoopState): string {
  return `errors so far: ${totalErrors} (JavaScript ${jsErrors}, network ${networkErrors}, failed actions ${failedActions}, ${consecutiveErrors} in a row)`;
}

const TIMINGS = { ttfb: "TTFB", fcp: "FCP", lcp: "LCP", domContentLoaded: "DOM", loadTime: "load" } as const;

function metricsLine(metrics: Metrics): string[] {
  const times = Object.entries(TIMINGS).flatMap(([field, name]) => {
    const ms = metrics[field as keyof typeof TIMINGS];
    return ms === undefined ? [] : [`${name} ${Math.round(ms)} ms`];
  });
  const memory = metrics.memoryUsage === undefined ? [] : [`${(metrics.memoryUsage / 1e6).toFixed(1)} MB`];
  const parts = [...times, ...memory];
  return parts.length === 0 ? [] : [parts.join(", ")];
}

function section(name: string, { lines, left }: { lines: string[]; left: number }, advice: string): string[] {
  if (lines.length === 0 && left === 0) return [];
  return [`${name}:`, ...lines, ...(left > 0 ? [`[${left} more are left out; ${advice}]`] : [])];
}

/** Progress is for people who watch. A short report has only what is wrong. */
function isWorthy(isShort: boolean): (log: Log) => boolean {
  return ({ category, severity = 0 }) => category !== "loading" && (!isShort || severity >= WARNING);
}

function weighedLog({ type, message, location, severity = 0, source }: Log): {
  text: string;
  weight: number;
} {
  const place = location ? ` (${location.url}:${location.line}:${location.column})` : "";
  return { text: `${type}: ${message}${place}`, weight: severity + (source === "tool" ? TOOL_BONUS : 0) };
}

function hasFailed({ status = 0, errorText }: NetworkEvent): boolean {
  return status >= 400 || errorText !== undefined;
}

/** Browsers request it whether or not a site has one. */
function isFavicon({ url }: NetworkEvent): boolean {
  return /\/favicon\.ico(\?|$)/.test(url);
}

function weighedRequest(event: NetworkEvent): { text: string; weight: number } {
  return { text: requestLine({ ...event, error: event.errorText }), weight: hasFailed(event) ? 1 : 0 };
}
