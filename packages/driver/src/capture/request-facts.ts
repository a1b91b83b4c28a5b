import type { BodyOf } from "@debug-bridge/page/records";
import type { AsyncStack } from "./chain.js";
import { isOurScript } from "./our-frames.js";

type Network = BodyOf<"network">;

/** When a request or an answer has more headers, the first ones are kept. */
const MAX_HEADERS = 100;

/** Who made a request, as CDP reports it. Lines and columns count from 0. */
export interface Initiator {
  readonly type: string;
  readonly url?: string;
  readonly lineNumber?: number;
  readonly columnNumber?: number;
  readonly stack?: AsyncStack;
}

/** When the parts of a request began and ended, as CDP reports it: milliseconds after `requestTime`; -1 when it had no such part. */
export interface ResourceTiming {
  readonly requestTime: number;
  readonly dnsStart: number;
  readonly dnsEnd: number;
  readonly connectStart: number;
  readonly connectEnd: number;
  readonly sslStart: number;
  readonly sslEnd: number;
  readonly sendStart: number;
  readonly sendEnd: number;
  readonly receiveHeadersEnd: number;
}

export function firstHeaders(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers);
  return entries.length <= MAX_HEADERS ? headers : Object.fromEntries(entries.slice(0, MAX_HEADERS));
}

/** Who made the request: the innermost frame of the app, else the place in the document. */
export function initiatorOf(initiator: Initiator | undefined): Pick<Network, "initiator"> {
  if (!initiator || initiator.type === "other") return {};
  const { type } = initiator;
  const frame = innermost(initiator.stack);
  const { url, lineNumber, columnNumber } = frame ?? initiator;
  if (!url) return { initiator: { type } };
  return {
    initiator: {
      type,
      url,
      ...(lineNumber === undefined ? {} : { line: lineNumber + 1 }),
      ...(columnNumber === undefined ? {} : { column: columnNumber + 1 }),
    },
  };
}

function innermost(stack: AsyncStack | undefined): AsyncStack["callFrames"][number] | undefined {
  if (!stack) return undefined;
  return stack.callFrames.find(({ url }) => url !== "" && !isOurScript(url)) ?? innermost(stack.parent);
}

/** The parts of the time of a request, in milliseconds, in their order. */
export function timingOf(timing: ResourceTiming, startedAt: number, ended: number): Network["timing"] {
  const { requestTime, dnsStart, dnsEnd, connectStart, connectEnd, sslStart, sslEnd } = timing;
  const { sendStart, sendEnd, receiveHeadersEnd } = timing;
  const first = [dnsStart, connectStart, sendStart].find((at) => at >= 0) ?? 0;
  const part = (start: number, end: number): number | undefined =>
    start < 0 || end < start ? undefined : rounded(end - start);
  const parts = {
    queued: rounded((requestTime - startedAt) * 1_000 + first),
    dns: part(dnsStart, dnsEnd),
    connect: part(connectStart, sslStart >= 0 ? sslStart : connectEnd),
    tls: part(sslStart, sslEnd),
    send: part(sendStart, sendEnd),
    wait: part(sendEnd, receiveHeadersEnd),
    receive: rounded((ended - requestTime) * 1_000 - receiveHeadersEnd),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

const rounded = (ms: number): number => Math.max(0, Math.round(ms * 10) / 10);
