import type { TimelineRecord } from "@debug-bridge/protocol";
import { fieldsOf, textOf } from "../../details/fields.js";
import { type RequestParts, requestParts } from "../../details/request/request-parts.js";

/** The version of the form of the entries, not of the program. */
const HAR_CREATOR_VERSION = "1";
const COMMENT =
  "Cookies are not captured and secrets are masked. Headers and the parts of the time are those that the source of each record knows.";

/** The requests of a session as a HAR 1.2 file, which other tools read. Sockets are left out: HAR has no place for them. */
export function harOf(records: readonly TimelineRecord[]): object {
  const groups = new Map<string, TimelineRecord[]>();
  for (const record of records) {
    const { id, api } = fieldsOf(record.data);
    if (record.type !== "network" || typeof id !== "string" || api === "websocket" || api === "eventsource")
      continue;
    // Each page load counts its requests from the start.
    const key = `${record.instanceId ?? ""} ${id}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  const entries = [...groups.values()].map((group) => entryOf(group, requestParts(group)));
  return {
    log: {
      version: "1.2",
      creator: { name: "Debug Bridge", version: HAR_CREATOR_VERSION },
      comment: COMMENT,
      entries,
    },
  };
}

function entryOf([first]: readonly TimelineRecord[], parts: RequestParts): object {
  const time = parts.durationMs ?? 0;
  return {
    startedDateTime: startOf(first, parts),
    time,
    request: {
      ...{ method: parts.method, url: parts.url, httpVersion: "", cookies: [], headersSize: -1 },
      headers: harHeaders(parts.requestHeaders),
      queryString: queryOf(parts.url),
      bodySize: parts.requestBytes ?? -1,
      ...(parts.requestBody === undefined
        ? {}
        : {
            postData: {
              mimeType: headerOf(parts.requestHeaders, "content-type") ?? "",
              text: parts.requestBody,
            },
          }),
    },
    response: {
      // 0 stands for a request without an answer.
      ...{ status: parts.status ?? 0, statusText: parts.statusText ?? "", httpVersion: "" },
      ...{ cookies: [], redirectURL: headerOf(parts.responseHeaders, "location") ?? "", headersSize: -1 },
      headers: harHeaders(parts.responseHeaders),
      bodySize: parts.responseBytes ?? -1,
      content: {
        ...{ size: parts.responseBytes ?? 0, text: parts.responseBody ?? "" },
        mimeType: headerOf(parts.responseHeaders, "content-type") ?? "",
      },
      ...(parts.error === undefined ? {} : { comment: parts.error }),
    },
    cache: {},
    timings: timingsOf(parts, time),
    ...(parts.initiator ? { _initiator: parts.initiator } : {}),
  };
}

type Headers = RequestParts["requestHeaders"];

const harHeaders = (headers: Headers): object[] => headers.map(([name, value]) => ({ name, value }));
const headerOf = (headers: Headers, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** HAR counts TLS as a part of connecting, and -1 as a part that there was not. */
function timingsOf({ timing }: RequestParts, time: number): object {
  if (timing.length === 0) return { send: 0, wait: time, receive: 0 };
  const ms = new Map(timing.map((each) => [each.part, each.ms]));
  const tls = ms.get("tls");
  const connect = ms.get("connect");
  return {
    blocked: ms.get("queued") ?? -1,
    dns: ms.get("dns") ?? -1,
    connect: connect === undefined ? -1 : connect + (tls ?? 0),
    ssl: tls ?? -1,
    send: ms.get("send") ?? 0,
    wait: ms.get("wait") ?? 0,
    receive: ms.get("receive") ?? 0,
  };
}

/** When it began. If only its end is known, the time that it took is subtracted. */
function startOf(first: TimelineRecord | undefined, { durationMs = 0 }: RequestParts): string {
  const isStart = textOf(fieldsOf(first?.data).phase) === "request";
  const at = Date.parse(first?.timestamp ?? "") - (isStart ? 0 : durationMs);
  return new Date(Number.isNaN(at) ? 0 : at).toISOString();
}

function queryOf(url: string): { name: string; value: string }[] {
  if (!URL.canParse(url)) return [];
  return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
}
