import type { BodyOf } from "@debug-bridge/page/records";
import type { CdpSession } from "../cdp.js";
import { type AsyncStack, type ChainRecorder, chainOf } from "./chain.js";
import { firstHeaders, type Initiator, initiatorOf, type ResourceTiming, timingOf } from "./request-facts.js";
import type { TelemetryPipeline } from "./telemetry-pipeline.js";

type Network = BodyOf<"network">;
type Api = Network["api"];

interface RequestWillBeSent {
  readonly requestId: string;
  readonly request: {
    /** Without its fragment. */
    readonly url: string;
    readonly urlFragment?: string;
    readonly method: string;
    readonly headers?: Record<string, string>;
    readonly postData?: string;
  };
  readonly timestamp: number;
  readonly type?: string;
  readonly redirectResponse?: Response;
  readonly initiator?: Initiator;
}
interface Response {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Record<string, string>;
  readonly timing?: ResourceTiming;
}
interface Finished {
  readonly requestId: string;
  readonly timestamp: number;
  readonly encodedDataLength: number;
}
interface DataReceived {
  readonly requestId: string;
  readonly timestamp: number;
  readonly dataLength: number;
  readonly encodedDataLength: number;
}
interface Failed {
  readonly requestId: string;
  readonly timestamp: number;
  readonly errorText: string;
  readonly canceled?: boolean;
  readonly blockedReason?: string;
  readonly corsErrorStatus?: { readonly corsError: string };
}
interface SocketCreated {
  readonly requestId: string;
  readonly url: string;
  readonly initiator?: { readonly stack?: AsyncStack };
}
interface Running {
  readonly id: string;
  readonly api: Api;
  readonly type: string;
  readonly method: string;
  readonly url: string;
  readonly startedAt: number;
  response?: Response;
  bytes: number;
  encodedBytes: number;
  reported: boolean;
}

const APIS: Record<string, Api> = { XHR: "xhr", Fetch: "fetch", EventSource: "eventsource" };
/** Resources whose failure an app's own error listener would receive. */
const TAGS: Record<string, string> = { Image: "img", Script: "script", Stylesheet: "link", Media: "video" };

/** How much is reported of requests. */
export interface NetworkDetails {
  readonly captureBodies: boolean;
  /** While a recording runs, bodies of what scripts asked for are reported in any case. */
  recording?: boolean;
}

export interface NetworkOptions {
  readonly details: NetworkDetails;
  /** Requests that run, shared by the sessions of a page: the document of a frame is asked for in one and arrives in another. */
  readonly running?: RunningRequests;
  readonly chains: ChainRecorder;
  /** Whether the next request with this fragment is one of ours, which no record is made of. */
  isOwn(fragment: string): boolean;
}

export type RunningRequests = Map<string, Running>;

/** Reports every request of the page, no matter who made it, and the frames of its sockets. */
export function captureNetwork(
  cdp: CdpSession,
  pipeline: TelemetryPipeline,
  { details, running = new Map(), chains, isOwn }: NetworkOptions,
): void {
  const { captureBodies } = details;
  const keepsBody = ({ api }: Running): boolean =>
    captureBodies || (details.recording === true && (api === "fetch" || api === "xhr"));
  let redirects = 0;
  const own = new Set<string>();
  const put = (message: Omit<Network, "type">): void => pipeline.add({ type: "network", ...message });

  const answered = (
    request: Running,
    { status, statusText, headers, timing }: Response,
    timestamp: number,
  ): Omit<Network, "type"> => ({
    ...nameOf(request),
    phase: "response",
    status,
    headers: firstHeaders(headers),
    ...(timing ? { timing: timingOf(timing, request.startedAt, timestamp) } : {}),
    ...(statusText ? { statusText } : {}),
    durationMs: millis(timestamp - request.startedAt),
  });

  cdp.on("Network.requestWillBeSent", (event: RequestWillBeSent) => {
    const { requestId, request, timestamp, type = "Other", redirectResponse, initiator } = event;
    if (request.urlFragment && isOwn(request.urlFragment)) own.add(requestId);
    if (request.url.startsWith("data:") || own.has(requestId)) return;
    const before = running.get(requestId);
    if (before && redirectResponse) put(answered(before, redirectResponse, timestamp));
    const id = before ? `${requestId}.${++redirects}` : requestId;
    const { url, method, postData } = request;
    const each: Running = {
      id,
      api: APIS[type] ?? "other",
      type,
      method,
      url,
      startedAt: timestamp,
      ...{ bytes: 0, encodedBytes: 0, reported: false },
    };
    running.set(requestId, each);
    put({
      ...nameOf(each),
      phase: "request",
      ...(postData === undefined ? {} : { requestBytes: postData.length }),
      ...(keepsBody(each) && postData ? { body: postData } : {}),
      ...(request.headers ? { headers: firstHeaders(request.headers) } : {}),
      ...initiatorOf(initiator),
      ...chainOf(initiator?.stack, chains),
    });
  });
  const finish = (requestId: string, request: Running, response: Response, timestamp: number): void => {
    if (request.reported) return;
    request.reported = true;
    const message = { ...answered(request, response, timestamp), responseBytes: request.bytes };
    pipeline.add(keepsBody(request) ? withBody(cdp, requestId, message) : { type: "network", ...message });
    if (response.status >= 400) resourceError(request, pipeline);
  };
  // The browser reports the end of an unread body late; the received length shows it at once.
  const isWhole = (request: Running): boolean => {
    const { response, encodedBytes, api } = request;
    if (keepsBody(request) || api === "eventsource" || response === undefined) return false;
    return encodedBytes >= lengthOf(response);
  };

  cdp.on(
    "Network.responseReceived",
    ({ requestId, response, timestamp }: { requestId: string; response: Response; timestamp: number }) => {
      const request = running.get(requestId);
      if (!request) return;
      request.response = response;
      if (request.api === "eventsource") put({ ...nameOf(request), phase: "open", status: response.status });
      else if (isWhole(request)) finish(requestId, request, response, timestamp);
    },
  );
  cdp.on("Network.dataReceived", (event: DataReceived) => {
    const request = running.get(event.requestId);
    if (!request) return;
    request.bytes += event.dataLength;
    request.encodedBytes += event.encodedDataLength;
    if (request.response && isWhole(request))
      finish(event.requestId, request, request.response, event.timestamp);
  });
  cdp.on("Network.eventSourceMessageReceived", ({ requestId, data }: { requestId: string; data: string }) => {
    const request = running.get(requestId);
    if (!request) return;
    const body = captureBodies ? { body: data } : {};
    put({ ...nameOf(request), phase: "message", direction: "in", responseBytes: data.length, ...body });
  });
  cdp.on("Network.loadingFinished", ({ requestId, timestamp }: Finished) => {
    const request = running.get(requestId);
    running.delete(requestId);
    if (!request?.response) return;
    if (request.api === "eventsource") put({ ...nameOf(request), phase: "close" });
    else finish(requestId, request, request.response, timestamp);
  });
  cdp.on("Network.loadingFailed", (event: Failed) => {
    const request = running.get(event.requestId);
    running.delete(event.requestId);
    if (!request || request.reported) return;
    // A script that was not found is released with its body: only its answer matters.
    if (request.response && request.response.status >= 400)
      return finish(event.requestId, request, request.response, event.timestamp);
    const { corsErrorStatus, blockedReason, canceled, errorText } = event;
    const why = corsErrorStatus?.corsError ?? blockedReason;
    const error = why ? `${errorText} (${why})` : errorText || (canceled ? "canceled" : "failed");
    put({
      ...nameOf(request),
      phase: "failed",
      durationMs: millis(event.timestamp - request.startedAt),
      error,
    });
    if (!canceled) resourceError(request, pipeline);
  });
  captureSockets(cdp, put, captureBodies, chains);
}

function captureSockets(
  cdp: CdpSession,
  put: (message: Omit<Network, "type">) => void,
  captureBodies: boolean,
  chains: ChainRecorder,
): void {
  const urls = new Map<string, string>();
  const socket = (id: string): Pick<Network, "id" | "api" | "method" | "url"> => ({
    ...{ id, api: "websocket", method: "GET", url: urls.get(id) ?? "" },
  });
  cdp.on("Network.webSocketCreated", ({ requestId, url, initiator }: SocketCreated) => {
    urls.set(requestId, url);
    put({ ...socket(requestId), phase: "request", ...chainOf(initiator?.stack, chains) });
  });
  cdp.on(
    "Network.webSocketHandshakeResponseReceived",
    ({ requestId, response }: { requestId: string; response: Response }) =>
      put({ ...socket(requestId), phase: "open", status: response.status }),
  );
  for (const [event, direction] of [
    ["Network.webSocketFrameSent", "out"],
    ["Network.webSocketFrameReceived", "in"],
  ] as const) {
    cdp.on(event, ({ requestId, response }: { requestId: string; response: { payloadData: string } }) => {
      const { payloadData } = response;
      const bytes =
        direction === "in" ? { responseBytes: payloadData.length } : { requestBytes: payloadData.length };
      const body = captureBodies ? { body: payloadData } : {};
      put({ ...socket(requestId), phase: "message", direction, ...bytes, ...body });
    });
  }
  cdp.on(
    "Network.webSocketFrameError",
    ({ requestId, errorMessage }: { requestId: string; errorMessage: string }) =>
      put({ ...socket(requestId), phase: "failed", error: errorMessage }),
  );
  cdp.on("Network.webSocketClosed", ({ requestId }: { requestId: string }) => {
    put({ ...socket(requestId), phase: "close" });
    urls.delete(requestId);
  });
}

type RequestName = Pick<Network, "id" | "api" | "method" | "url" | "resourceType">;

const nameOf = ({ id, api, method, url, type }: Running): RequestName => ({
  ...{ id, api, method, url, resourceType: type.toLowerCase() },
});

/** The length of the body according to its headers; infinite when they have none. */
function lengthOf({ status, headers }: Response): number {
  if (status === 204 || status === 304) return 0;
  const name = Object.keys(headers).find((each) => each.toLowerCase() === "content-length");
  return name === undefined ? Number.POSITIVE_INFINITY : Number(headers[name]);
}

const millis = (seconds: number): number => Math.max(0, Math.round(seconds * 10_000) / 10);

function resourceError({ type, url }: Running, pipeline: TelemetryPipeline): void {
  const tag = TAGS[type];
  if (tag) pipeline.add({ type: "error", message: `<${tag}> did not load: ${url}`, resource: { tag, url } });
}

async function withBody(
  cdp: CdpSession,
  requestId: string,
  message: Omit<Network, "type">,
): Promise<Network> {
  try {
    const { body, base64Encoded } = await cdp.send<{ body: string; base64Encoded: boolean }>(
      "Network.getResponseBody",
      { requestId },
    );
    if (!base64Encoded && body !== "") return { type: "network", ...message, body };
  } catch {
    // The browser may have discarded it.
  }
  return { type: "network", ...message };
}
