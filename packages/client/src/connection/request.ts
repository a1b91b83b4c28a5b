import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { BridgeError, errorFromBody } from "@debug-bridge/protocol";

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Ends a request without a complete answer after this time; without it, a request may take any time. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Does not keep the process alive. */
  readonly background?: boolean;
  /** Whose connections are used, instead of any. */
  readonly agent?: Agent;
}

export interface TextResponse {
  readonly status: number;
  readonly text: string;
}

const MAX_RESPONSE_BYTES = 256_000_000;
/** How long an answer that has arrived may wait to be read, in a process that stood still. */
const GRACE_MS = 200;

/** Opens a request and resolves with the response, whose body is still to be read. Rejects if nothing answers. */
export function openResponse(url: string, options: RequestOptions = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {}, body, signal, agent, background = false } = options;
    const open = url.startsWith("https:") ? httpsRequest : httpRequest;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    let request: ClientRequest;
    try {
      request = open(url, {
        method,
        headers: { ...headers, ...length },
        ...(signal === undefined ? {} : { signal }),
        ...(agent === undefined ? {} : { agent }),
      });
    } catch (thrown) {
      reject(thrown);
      return;
    }
    if (background) request.on("socket", (socket) => socket.unref());
    request.on("response", resolve);
    request.on("error", reject);
    request.end(body);
  });
}

/** Sends a request and reads the whole answer as text. */
export async function request(url: string, options: RequestOptions = {}): Promise<TextResponse> {
  const { timeoutMs } = options;
  const signals = [
    ...(options.signal ? [options.signal] : []),
    ...(timeoutMs === undefined ? [] : [timeoutSignal(timeoutMs)]),
  ];
  const response = await openResponse(url, {
    ...options,
    ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
  });
  return readResponse(response, options);
}

/**
 * Aborts after a time. Not `AbortSignal.timeout`: after this process stood still for longer than that, timers run before answers
 * are read that arrived meanwhile, and a hub that had answered would count as gone.
 */
function timeoutSignal(timeoutMs: number): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort(new DOMException("no answer in time", "TimeoutError"));
  setTimeout(() => setTimeout(end, GRACE_MS).unref(), timeoutMs - GRACE_MS).unref();
  return controller.signal;
}

/** Reads the whole answer as text. */
export async function readResponse(
  response: IncomingMessage,
  { maxBytes = MAX_RESPONSE_BYTES }: Pick<RequestOptions, "maxBytes"> = {},
): Promise<TextResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw new BridgeError("too_large", `the hub's answer is above ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") };
}

/** The code of an error: the other end did not prove that it is the hub, so nothing was sent. */
export const UNPROVEN = "EUNPROVEN";

/** Whether a failed request never reached a hub, so that it can be sent again. */
export function wasNotSent(thrown: unknown): boolean {
  const { code } = thrown as NodeJS.ErrnoException;
  return code === UNPROVEN || code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EHOSTUNREACH";
}

/** The error in the body of a refused request, in the hub's own words. */
export function refusal({ status, text }: TextResponse): BridgeError {
  const message = `the hub answered ${status}`;
  try {
    const body = JSON.parse(text) as { error?: { code: string; message: string } | string; message?: string };
    if (typeof body.error === "object") return errorFromBody(body.error);
    return errorFromBody({
      ...(body.error ? { code: body.error } : {}),
      message: body.message ?? message,
    });
  } catch {
    return new BridgeError("internal", message);
  }
}
