import { MASK, type TimelineRecord } from "@debug-bridge/protocol";
import { type Fields, fieldsOf, numberOf, textOf } from "../fields.js";

/** Names and values, in the order in which the browser reports them. */
type Headers = readonly (readonly [name: string, value: string])[];

/** What is known of a request, from all of its records. */
export interface RequestParts {
  readonly method: string;
  readonly url: string;
  readonly status?: number | undefined;
  readonly statusText?: string | undefined;
  readonly error?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly requestBytes?: number | undefined;
  readonly responseBytes?: number | undefined;
  readonly requestBody?: string | undefined;
  readonly responseBody?: string | undefined;
  /** Empty when the source does not know them. */
  readonly requestHeaders: Headers;
  readonly responseHeaders: Headers;
  readonly initiator?: { readonly type: string; readonly place?: string } | undefined;
  readonly timing: readonly { readonly part: string; readonly ms: number }[];
  readonly frames: readonly {
    readonly sequence: number;
    readonly at: number;
    readonly direction: "in" | "out";
    readonly text: string;
  }[];
}

/** Puts the records of one request together. */
export function requestParts(records: readonly TimelineRecord[]): RequestParts {
  const phase = (wanted: string) =>
    records.map(({ data }) => fieldsOf(data)).find((data) => data.phase === wanted);
  const start = phase("request") ?? phase("open") ?? {};
  const end = phase("response") ?? phase("failed") ?? {};
  const any = fieldsOf(records[0]?.data);
  return {
    method: textOf(any.method) ?? "GET",
    url: textOf(any.url) ?? "",
    status: numberOf(end.status) ?? numberOf(start.status),
    statusText: textOf(end.statusText),
    error: textOf(end.error),
    durationMs: numberOf(end.durationMs),
    requestBytes: numberOf(start.requestBytes) ?? numberOf(end.requestBytes),
    responseBytes: numberOf(end.responseBytes),
    requestBody: textOf(start.body),
    responseBody: textOf(end.body),
    requestHeaders: headersOf(start.headers),
    responseHeaders: headersOf(end.headers),
    initiator: initiatorOf(fieldsOf(start.initiator)),
    timing: timingOf(fieldsOf(end.timing)),
    frames: records.flatMap(({ sequence, timestamp, data }) => {
      const { phase: of, direction, body, responseBytes, requestBytes } = fieldsOf(data);
      if (of !== "message") return [];
      const bytes = numberOf(responseBytes) ?? numberOf(requestBytes);
      const text = textOf(body) ?? (bytes === undefined ? "(not captured)" : `${bytes} bytes`);
      return [
        { sequence, at: Date.parse(timestamp), direction: direction === "out" ? "out" : "in", text } as const,
      ];
    }),
  };
}

const headersOf = (value: unknown): Headers =>
  Object.entries(fieldsOf(value)).flatMap(([name, text]) =>
    typeof text === "string" ? [[name, text] as const] : [],
  );

function initiatorOf({ type, url, line, column }: Fields): RequestParts["initiator"] {
  const kind = textOf(type);
  if (kind === undefined) return undefined;
  const place = [textOf(url), numberOf(line), numberOf(column)]
    .filter((part) => part !== undefined)
    .join(":");
  return place === "" ? { type: kind } : { type: kind, place };
}

/** The parts of the time, in their order. */
const TIMING_PARTS = ["queued", "dns", "connect", "tls", "send", "wait", "receive"] as const;

const timingOf = (timing: Fields): RequestParts["timing"] =>
  TIMING_PARTS.flatMap((part) => {
    const ms = numberOf(timing[part]);
    return ms === undefined || !(ms >= 0) ? [] : [{ part, ms }];
  });

/** Headers that a program which sends the request again sets by itself, or that it cannot set. */
const OWN = /^(:.*|host|connection|content-length|accept-encoding|sec-fetch-.*|sec-ch-.*)$/i;

/** Headers for a copy of the request. Masked values are left out: they would be wrong. */
const copied = ({ requestHeaders }: RequestParts): Headers =>
  requestHeaders.filter(([name, value]) => !OWN.test(name) && !value.includes(MASK));

/** Whether a copy lacks headers because they are masked. */
export const hasMasked = ({ requestHeaders }: RequestParts): boolean =>
  requestHeaders.some(([, value]) => value.includes(MASK));

/** A text as one word of a POSIX shell, whatever it contains. */
const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The request as a command line. */
export function asCurl(parts: RequestParts): string {
  const { method, url, requestBody } = parts;
  const headers = copied(parts).map(([name, value]) => ` -H ${shellWord(`${name}: ${value}`)}`);
  const body = requestBody === undefined ? "" : ` --data-raw ${shellWord(requestBody)}`;
  return `curl -X ${shellWord(method)} ${shellWord(url)}${headers.join("")}${body}`;
}

/** The request as a line of JavaScript. */
export function asFetch(parts: RequestParts): string {
  const { method, url, requestBody } = parts;
  const headers = copied(parts);
  const init = {
    method,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(requestBody === undefined ? {} : { body: requestBody }),
  };
  return `await fetch(${JSON.stringify(url)}, ${JSON.stringify(init)});`;
}
