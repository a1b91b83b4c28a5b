import type { NetworkTelemetry } from "@debug-bridge/protocol";
import type { Exchange } from "./types.js";

/** How a body ends that was cut. */
const CUT = /… \[\d+ more characters\]$/;

/** Collects what scripts requested, and the answers, from the records of a timeline. */
export class ExchangeCollector {
  private readonly open = new Map<string, { request: NetworkTelemetry; at: number }>();
  private readonly done = new Map<string, Exchange>();

  add(network: NetworkTelemetry, at: number, origin: string): void {
    const { api, phase } = network;
    if (api !== "fetch" && api !== "xhr") return;
    // Ids are unique in a page load.
    const key = `${origin} ${network.id}`;
    if (phase === "request") {
      this.open.set(key, { request: network, at });
      return;
    }
    if (phase === "message") {
      // The SDK reports a body after its response.
      const exchange = this.done.get(key);
      if (exchange && network.direction === "in") this.done.set(key, { ...exchange, ...bodyOf(network) });
      return;
    }
    const started = this.open.get(key);
    if (!started || (phase !== "response" && phase !== "failed")) return;
    this.open.delete(key);
    const { method, url, body: postData } = started.request;
    this.done.set(key, {
      ...{ method, url, status: network.status ?? 0, headers: headersOf(network) },
      ...(postData === undefined ? {} : { postData }),
      ...(network.statusText === undefined ? {} : { statusText: network.statusText }),
      ...bodyOf(network),
      ...(phase === "failed" ? { failed: true } : {}),
      from: started.at,
      until: at,
    });
  }

  /** All that ended, in the order in which they were sent; their times count from this one. */
  list(start: number): Exchange[] {
    const since = (time: number): number => Math.max(0, Math.round(time - start));
    return [...this.done.values()]
      .sort((a, b) => a.from - b.from)
      .map((each) => ({ ...each, from: since(each.from), until: since(each.until) }));
  }
}

function bodyOf({ body, responseBytes }: NetworkTelemetry): { body?: string } {
  if (body !== undefined) return CUT.test(body) ? {} : { body };
  return responseBytes === 0 ? { body: "" } : {};
}

/** What a replay may send: lengths and encodings are those of the original, and cookies are not replayed. */
const LEFT_OUT =
  /^(?:content-length|content-encoding|transfer-encoding|set-cookie|connection|keep-alive|date)$/i;

function headersOf({ headers = {}, body = "" }: NetworkTelemetry): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !LEFT_OUT.test(name));
  if (kept.some(([name]) => name.toLowerCase() === "content-type")) return Object.fromEntries(kept);
  const type = /^\s*[[{"\d]/.test(body) ? "application/json" : "text/plain";
  return Object.fromEntries([...kept, ["content-type", type]]);
}
