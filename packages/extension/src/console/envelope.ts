import {
  CONSOLE_PROTOCOL_VERSION,
  type ConsoleErrorCode,
  type ConsoleMessage,
  type ConsoleSource,
  truncate,
} from "@debug-bridge/protocol";

const VERSION = CONSOLE_PROTOCOL_VERSION;
const MAX_TEXT = 2_000;

/** One console event as the text of a message. The payload is the JSON that the page's script wrote. */
export function eventText(source: ConsoleSource, at: number, seq: number, payload: string): string {
  return `{"version":"${VERSION}","type":"console_event","timestamp":"${isoTime(at)}","source":${JSON.stringify(source)},"payload":{"seq":${seq},${payload.slice(1)}}`;
}

function isoTime(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? new Date().toISOString() : date.toISOString();
}

/** The source of an event. URL and title are those of the tab; a frame inside it adds its own. */
export function sourceOf(where: {
  readonly tabId: number;
  readonly url: string;
  readonly title: string;
  readonly frameId: number;
  readonly frameUrl: string;
  readonly documentId?: string | undefined;
}): ConsoleSource {
  return {
    tabId: where.tabId,
    url: truncate(where.url, MAX_TEXT),
    title: truncate(where.title, MAX_TEXT),
    ...(where.frameId === 0 ? {} : { frameId: where.frameId, frameUrl: truncate(where.frameUrl, MAX_TEXT) }),
    ...(where.documentId ? { documentId: where.documentId } : {}),
  };
}

function message(
  type: ConsoleMessage["type"],
  payload: Record<string, unknown>,
  source?: ConsoleSource,
): string {
  return JSON.stringify({
    version: VERSION,
    type,
    timestamp: new Date().toISOString(),
    ...(source ? { source } : {}),
    payload,
  });
}

export interface ClientInfo {
  readonly extensionVersion: string;
  readonly browser: string;
  readonly browserVersion: string;
}

export function statusText(
  status: "connected" | "disconnected" | "reconnecting",
  clientInfo: ClientInfo | undefined,
  reason?: string,
): string {
  return message("connection_status", {
    status,
    ...(reason === undefined ? {} : { reason: truncate(reason, MAX_TEXT) }),
    ...(clientInfo ? { clientInfo } : {}),
  });
}

export function pingText(id: string): string {
  return message("ping", { id });
}

export function pongText(id: string): string {
  return message("pong", { id });
}

export function errorText(
  code: ConsoleErrorCode,
  text: string,
  details: Record<string, unknown>,
  source?: ConsoleSource,
): string {
  return message("error", { code, message: text, details }, source);
}
