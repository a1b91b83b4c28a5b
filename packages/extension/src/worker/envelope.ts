import {
  CONSOLE_PROTOCOL_VERSION,
  type ConsoleErrorCode,
  type ConsoleMessage,
  type ConsoleSource,
  truncate,
} from "@debug-bridge/protocol";

const VERSION = CONSOLE_PROTOCOL_VERSION;
const LINE = 2_000;

/** One console event as the text of a message. The payload was written in the page, as JSON, and goes on as it is. */
export function eventText(source: ConsoleSource, at: number, seq: number, payload: string): string {
  return `{"version":"${VERSION}","type":"console_event","timestamp":"${isoTime(at)}","source":${JSON.stringify(source)},"payload":{"seq":${seq},${payload.slice(1)}}`;
}

function isoTime(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? new Date().toISOString() : date.toISOString();
}

/** Where an event comes from. Url and title are those of the tab; a frame inside it adds its own. */
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
    url: truncate(where.url, LINE),
    title: truncate(where.title, LINE),
    ...(where.frameId === 0 ? {} : { frameId: where.frameId, frameUrl: truncate(where.frameUrl, LINE) }),
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

export function statusText(status: "connected" | "disconnected", clientInfo: ClientInfo): string {
  return message("connection_status", { status, clientInfo });
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
