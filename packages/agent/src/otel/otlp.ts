import { BridgeError } from "@debug-bridge/protocol";
import type { OtlpSpan } from "./spans.js";

const SPANS_PER_REQUEST = 500;
const TIMEOUT_MS = 30_000;

export interface OtlpTarget {
  /** `http://127.0.0.1:4318`; without a path, `/v1/traces` is added. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly version: string;
}

/** The JSON body of an OTLP/HTTP request. */
export function otlpBody(spans: readonly OtlpSpan[], version: string): object {
  const service = { key: "service.name", value: { stringValue: "debug-bridge" } };
  const scope = { name: "debug-bridge", version };
  return { resourceSpans: [{ resource: { attributes: [service] }, scopeSpans: [{ scope, spans }] }] };
}

/** Sends spans to an OTLP/HTTP receiver. Throws when the receiver does not accept all of them. */
export async function sendSpans(spans: readonly OtlpSpan[], target: OtlpTarget): Promise<void> {
  const url = traceUrl(target.url);
  for (let at = 0; at < spans.length; at += SPANS_PER_REQUEST)
    await post(url, otlpBody(spans.slice(at, at + SPANS_PER_REQUEST), target.version), target.headers);
}

async function post(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((thrown: Error) => {
    const cause = thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
    throw new BridgeError("app_not_connected", `cannot reach an OTLP receiver at ${url}: ${cause}`);
  });
  const text = await response.text();
  if (!response.ok)
    throw new BridgeError("internal", `${url} answered ${response.status}: ${text.slice(0, 300)}`);
  const { rejectedSpans = 0, errorMessage = "" } = partialSuccess(text);
  if (Number(rejectedSpans) > 0)
    throw new BridgeError("internal", `${url} rejected ${rejectedSpans} spans: ${errorMessage}`);
}

function partialSuccess(text: string): { rejectedSpans?: unknown; errorMessage?: string } {
  try {
    return (JSON.parse(text) as { partialSuccess?: object }).partialSuccess ?? {};
  } catch {
    return {};
  }
}

function traceUrl(text: string): string {
  if (!URL.canParse(text))
    throw new BridgeError("invalid_message", `"${text}" is not a URL; use one like http://127.0.0.1:4318`);
  const url = new URL(text);
  if (url.pathname === "/") url.pathname = "/v1/traces";
  return url.href;
}
