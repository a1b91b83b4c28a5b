import { CONSOLE_PROTOCOL_VERSION, parseVersion } from "@debug-bridge/protocol";

type Status =
  /** Nothing was tried yet. */
  | "idle"
  | "connecting"
  | "connected"
  /** The last attempt failed; the next one is set. */
  | "waiting"
  /** All attempts failed; a person or a tab tries again. */
  | "failed"
  /** The hub speaks another version; nothing is sent until one side is updated. */
  | "incompatible";

/** What the popup shows of the connection. */
export interface ConnectionState {
  readonly status: Status;
  /** Retries since the last success. */
  readonly retries: number;
  readonly retryAt?: number;
  readonly hubVersion?: string;
  readonly latencyMs?: number;
  /** Messages that either side could not read. */
  readonly messageErrors: number;
  readonly lastError?: string;
  /** What the person should do when the versions do not fit. */
  readonly upgrade?: string;
}

export const NOT_CONNECTED: ConnectionState = { status: "idle", retries: 0, messageErrors: 0 };

export type Happening =
  | { readonly kind: "connecting" }
  | { readonly kind: "ready"; readonly hubVersion?: string | undefined }
  | { readonly kind: "lost"; readonly reason: string; readonly retryAt: number | undefined }
  | { readonly kind: "incompatible"; readonly version: string; readonly supported: readonly string[] }
  | { readonly kind: "latency"; readonly ms: number }
  | { readonly kind: "message-error"; readonly text: string }
  | { readonly kind: "retry-asked" };

/** The next state of the connection. */
export function after(state: ConnectionState, happening: Happening): ConnectionState {
  const {
    retryAt: _retryAt,
    latencyMs: _latencyMs,
    upgrade: _upgrade,
    hubVersion: _hubVersion,
    ...kept
  } = state;
  switch (happening.kind) {
    case "connecting":
      return { ...kept, status: "connecting" };
    case "ready":
      return {
        status: "connected",
        retries: 0,
        messageErrors: state.messageErrors,
        ...(happening.hubVersion ? { hubVersion: happening.hubVersion } : {}),
      };
    case "lost":
      return happening.retryAt === undefined
        ? { ...kept, status: "failed", lastError: happening.reason }
        : {
            ...kept,
            status: "waiting",
            retries: state.retries + 1,
            retryAt: happening.retryAt,
            lastError: happening.reason,
          };
    case "incompatible":
      return {
        ...kept,
        status: "incompatible",
        upgrade: upgradeText(happening.version, happening.supported),
      };
    case "latency":
      return { ...state, latencyMs: happening.ms };
    case "message-error":
      return { ...state, messageErrors: state.messageErrors + 1, lastError: happening.text };
    case "retry-asked":
      return { ...kept, status: "idle", retries: 0 };
  }
}

/** Says which side is the older one, and what to do about it. */
export function upgradeText(version: string, supported: readonly string[]): string {
  const own = parseVersion(CONSOLE_PROTOCOL_VERSION)?.major ?? 0;
  const majors = [...supported, version].flatMap((text) => parseVersion(text)?.major ?? []);
  const newest = Math.max(...majors.filter((major) => major !== own), -1);
  const spoken = supported.length > 0 ? supported.join(", ") : version;
  return newest > own
    ? `The hub speaks version ${spoken} of the console wire, this extension ${CONSOLE_PROTOCOL_VERSION}: update the extension.`
    : `The hub speaks version ${spoken} of the console wire, this extension ${CONSOLE_PROTOCOL_VERSION}: update the debug-bridge command line.`;
}
