import { platform } from "../../inert/platform.js";
import type { Activity } from "../../receipt/activity.js";
import type { BodyOf } from "../../telemetry.js";
import type { CaptureContext } from "../context.js";

const BODY_LIMIT = 16_384;
/** How much of a body is read when only the bridge reads it; more than its limit, so that it is masked before it is cut. */
export const BODY_READ = 4 * BODY_LIMIT;

export interface NetworkContext extends CaptureContext {
  /** Requests in flight, once there is someone who waits for them. */
  activity(): Activity | undefined;
}

type NetworkBody = Omit<BodyOf<"network">, "type">;
type Request = Pick<NetworkBody, "id" | "api" | "method" | "url">;

/** A request that is not answered yet, and when it began. */
export type Running = readonly [base: Request, startedAt: number];

export interface NetworkOptions {
  /** While a recording runs bodies are captured, whatever the app chose. */
  readonly captureBodies?: boolean;
  /** Headers of the arguments of a `fetch`, its response or an XMLHttpRequest, while somebody watches the page. */
  readonly headersOf?: ((source: unknown) => Pick<NetworkBody, "headers"> | undefined) | undefined;
}

/** Shared by the kinds of requests: numbers them, masks what they carry. */
export class NetworkReporter {
  private next = 1;

  constructor(
    readonly context: NetworkContext,
    readonly options: NetworkOptions,
  ) {}

  id(): string {
    return `n${this.next++}`;
  }

  report(message: NetworkBody, source?: unknown): void {
    const { masker, emit, window } = this.context;
    emit({
      type: "network",
      ...message,
      ...this.options.headersOf?.(source),
      url: masker.url(absolute(message.url, window)),
    });
  }

  /** Reports that a request was sent. `source` knows its headers. */
  send(asked: Omit<Request, "id">, body: unknown, source: unknown): Running {
    const base = { id: this.id(), ...asked };
    const startedAt = platform.now();
    this.report({ ...base, phase: "request", ...bytesOf(body), ...this.body(body) }, source);
    return [base, startedAt];
  }

  answered(
    [base, startedAt]: Running,
    answer: Response | XMLHttpRequest,
    bytes: unknown,
    body: { body?: string } = {},
  ): void {
    const { status, statusText } = answer;
    this.report(
      {
        ...base,
        phase: "response",
        status,
        ...(statusText ? { statusText } : {}),
        durationMs: elapsed(startedAt),
        ...(Number.isSafeInteger(bytes) ? { responseBytes: bytes as number } : {}),
        ...body,
      },
      answer,
    );
  }

  failed([base, startedAt]: Running, error: string): void {
    this.report({ ...base, phase: "failed", status: 0, durationMs: elapsed(startedAt), error });
  }

  /** A body as text, if bodies were requested and it is text. */
  body(body: unknown): { body?: string } {
    if (!this.options.captureBodies) return {};
    const text = typeof body === "string" ? body : body instanceof URLSearchParams ? String(body) : undefined;
    return text === undefined || text === "" ? {} : { body: this.context.masker.fit(text, BODY_LIMIT) };
  }
}

function absolute(url: string, window: Window): string {
  try {
    return new URL(url, window.location.href).href;
  } catch {
    return url;
  }
}

function bytesOf(body: unknown): { requestBytes?: number } {
  if (typeof body === "string") return { requestBytes: body.length };
  if (body instanceof Blob) return { requestBytes: body.size };
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return { requestBytes: body.byteLength };
  if (body instanceof URLSearchParams) return { requestBytes: String(body).length };
  return {};
}

export const elapsed = (startedAt: number): number => Math.round((platform.now() - startedAt) * 10) / 10;
