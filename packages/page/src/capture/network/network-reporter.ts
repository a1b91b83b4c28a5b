import { platform } from "../../inert/platform.js";
import type { Activity } from "../../receipt/activity.js";
import type { BodyOf } from "../../telemetry.js";
import type { CaptureContext } from "../context.js";

const BODY_LIMIT = 16_384;
/** Of a body that is read for us alone; more than its limit, so that it is masked before it is cut. */
export const BODY_READ = 4 * BODY_LIMIT;

export interface NetworkContext extends CaptureContext {
  /** Requests in flight, once there is someone who waits for them. */
  activity(): Activity | undefined;
}

type NetworkBody = Omit<BodyOf<"network">, "type">;

/** Shared by the kinds of requests: numbers them, masks what they carry. */
export class NetworkReporter {
  private next = 1;

  constructor(
    readonly context: NetworkContext,
    /** While a recording runs bodies are captured, whatever the app chose. */
    readonly options: { readonly captureBodies?: boolean },
  ) {}

  id(): string {
    return `n${this.next++}`;
  }

  report(message: NetworkBody): void {
    const { masker, emit, window } = this.context;
    emit({ type: "network", ...message, url: masker.url(absolute(message.url, window)) });
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

export function bytesOf(body: unknown): { requestBytes?: number } {
  if (typeof body === "string") return { requestBytes: body.length };
  if (body instanceof Blob) return { requestBytes: body.size };
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return { requestBytes: body.byteLength };
  if (body instanceof URLSearchParams) return { requestBytes: String(body).length };
  return {};
}

export const elapsed = (begun: number): number => Math.round((platform.now() - begun) * 10) / 10;
