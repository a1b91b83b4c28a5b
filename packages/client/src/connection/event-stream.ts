import { SseParser } from "@debug-bridge/protocol";
import { type FoundHub, noHub } from "./find-hub.js";
import { openAuthorized } from "./proven.js";
import { refusal } from "./request.js";

export interface EventStreamOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Does not keep the process alive. */
  readonly background?: boolean;
}

/** The data of the server-sent events at a path of a hub. Ends when the hub does or when the signal aborts. */
export async function* streamEventTexts(
  hub: FoundHub,
  path: string,
  { headers, signal, background = false }: EventStreamOptions,
): AsyncGenerator<string> {
  const response = await openAuthorized(hub, path, {
    ...(headers === undefined ? {} : { headers }),
    ...(signal === undefined ? {} : { signal }),
    background,
  }).catch(() => undefined);
  if (!response) {
    if (signal?.aborted) return;
    throw noHub({ hub: hub.url });
  }
  response.setEncoding("utf8");
  if (response.statusCode !== 200) {
    let text = "";
    for await (const chunk of response as AsyncIterable<string>) text = (text + chunk).slice(0, 10_000);
    throw refusal({ status: response.statusCode ?? 0, text });
  }
  const parser = new SseParser();
  try {
    for await (const chunk of response as AsyncIterable<string>) yield* parser.push(chunk);
  } catch {
    // The connection broke or was aborted: the stream has ended.
  } finally {
    response.destroy();
  }
}
