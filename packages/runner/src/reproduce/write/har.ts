import type { Exchange } from "../recording/types.js";

/** Requests as a HAR file. `_from` and `_until` are milliseconds since the recording began. */
export function harOf(exchanges: readonly Exchange[], time: number): string {
  const entries = exchanges.map(
    ({ method, url, postData, status, statusText = "", headers, body, ...rest }) => ({
      startedDateTime: new Date(time + rest.from).toISOString(),
      time: rest.until - rest.from,
      request: {
        ...{ method, url, httpVersion: "HTTP/1.1", cookies: [], headers: [], headersSize: -1 },
        queryString: queryOf(url),
        ...(postData === undefined ? {} : { postData: { mimeType: "application/json", text: postData } }),
        bodySize: postData?.length ?? 0,
      },
      response: {
        ...{ status, statusText, httpVersion: "HTTP/1.1", cookies: [], redirectURL: "", headersSize: -1 },
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        content: {
          size: body?.length ?? 0,
          mimeType: headers["content-type"] ?? "text/plain",
          ...(body === undefined ? {} : { text: body }),
        },
        bodySize: body?.length ?? -1,
      },
      cache: {},
      timings: { send: 0, wait: rest.until - rest.from, receive: 0 },
      _from: rest.from,
      _until: rest.until,
      ...(rest.failed ? { _failed: true } : {}),
    }),
  );
  const log = { version: "1.2", creator: { name: "debug-bridge", version: "1" }, entries };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function queryOf(url: string): { name: string; value: string }[] {
  if (!URL.canParse(url)) return [];
  return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
}
