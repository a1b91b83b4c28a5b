import {
  type BrowserResponse,
  DEFAULT_MAX_TOKENS,
  type Log,
  type NetworkEvent,
  receiptLines,
  requestLine,
} from "@debug-bridge/protocol";
import { fitByWeight, fitStart } from "./fit.js";

/** Shares of the budget. */
const HEAD = 0.5;
const LOGS = 0.3;
const REQUESTS = 0.2;
/** Entries of the runner itself are a little more important than those of the page. */
const TOOL_BONUS = 0.5;

/** The report of one `browser_action` as text within a budget. All of it may quote the page. */
export function browserReport(response: BrowserResponse, maxTokens = DEFAULT_MAX_TOKENS): string {
  const { logs, networkEvents } = response;
  const log = fitByWeight(logs.map(weighedLog), maxTokens * LOGS);
  const requests = fitByWeight(networkEvents.map(weighedRequest), maxTokens * REQUESTS);
  return [
    fitStart(head(response), Math.floor(maxTokens * HEAD), "ask for less with evaluate"),
    ...section("logs", log, "ask for fewer with logFilter"),
    ...section("requests", requests, "failed ones are shown first"),
  ].join("\n");
}

function head({
  error,
  receipt,
  result,
  state,
  metrics,
  next = [],
  shutdown,
  sessionId,
}: BrowserResponse): string {
  return [
    ...(error ? [error.message, ...(error.hint ? [`hint: ${error.hint}`] : [])] : []),
    ...(error?.details ? [`details: ${JSON.stringify(error.details)}`] : []),
    ...(shutdown ? [`the browser was closed: ${shutdown}`] : []),
    ...next.map((step) => `next: ${step}`),
    ...(receipt ? receiptLines(receipt) : []),
    ...(result === undefined
      ? []
      : [`result: ${typeof result === "string" ? result : JSON.stringify(result)}`]),
    ...(state ? [`state: ${JSON.stringify(state)}`] : []),
    ...(metrics ? [`metrics: ${JSON.stringify(metrics)}`] : []),
    ...(sessionId ? [`session: ${sessionId}`] : []),
  ].join("\n");
}

function section(name: string, { lines, left }: { lines: string[]; left: number }, advice: string): string[] {
  if (lines.length === 0 && left === 0) return [];
  return [`${name}:`, ...lines, ...(left > 0 ? [`[${left} more are left out; ${advice}]`] : [])];
}

function weighedLog({ type, message, location, severity = 0, source }: Log): {
  text: string;
  weight: number;
} {
  const place = location ? ` (${location.url}:${location.line}:${location.column})` : "";
  return { text: `${type}: ${message}${place}`, weight: severity + (source === "tool" ? TOOL_BONUS : 0) };
}

function weighedRequest(event: NetworkEvent): { text: string; weight: number } {
  const { status = 0, errorText } = event;
  return {
    text: requestLine({ ...event, error: errorText }),
    weight: status >= 400 || errorText !== undefined ? 1 : 0,
  };
}
