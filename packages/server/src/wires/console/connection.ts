import {
  BridgeError,
  CONSOLE_MESSAGE_LIMITS,
  CONSOLE_PROTOCOL_VERSION,
  CONSOLE_SUPPORTED_VERSIONS,
  type ConsoleEvent,
  type ConsoleMessage,
  consolePayloadOf,
  isCompatible,
  levelOf,
  RateWindow,
} from "@debug-bridge/protocol";
import { check, consoleFrameSchema, parseBounded } from "@debug-bridge/protocol/schemas";
import type { BrowserInfo } from "./router.js";

/** What one connection may send in a second. Errors and warnings have a separate allowance of the same size. */
const MAX_EVENTS_PER_SECOND = 20_000;

/** Characters of a refused message that its sender gets back. */
const MAX_EXCERPT = 1_000;

export interface ConnectionHandlers {
  send(message: ConsoleMessage): void;
  onEvent(event: ConsoleEvent): void;
  onDropped(tabId: number, dropped: number, reason: string): void;
  onLatency(milliseconds: number): void;
  onRefused(error: BridgeError): void;
}

/**
 * The hub's end of one console wire connection: handshake, versions, pings, limits. Does no I/O itself: time and
 * frames are passed in, and the handlers send.
 */
export class ConsoleConnection {
  client: BrowserInfo & { extensionVersion?: string | undefined } = {};
  private greeted = false;
  private readonly rate = new RateWindow(MAX_EVENTS_PER_SECOND);
  private dropped = 0;
  private pinged: { id: string; at: number } | undefined;

  constructor(
    private readonly handlers: ConnectionHandlers,
    private readonly about: { cliVersion: string; platform: string },
  ) {}

  /** Reads one frame: a message or a batch of them. One that is wrong does not keep the others out. */
  receive(text: string, now: number): void {
    const parsed = parseBounded(text, CONSOLE_MESSAGE_LIMITS);
    if (!parsed.ok) {
      this.refuse(parsed.error, text);
      return;
    }
    const single = consoleFrameSchema.options[0];
    const messages: unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
    for (const message of messages) {
      if (!this.speaksOurVersion(message)) continue;
      const checked = check(single, message);
      if (checked.ok) this.dispatch(checked.value, now);
      else this.refuse(checked.error, message);
    }
  }

  /** Checks that the extension is alive, and measures the latency. */
  ping(now: number): void {
    this.pinged = { id: `ping-${now}`, at: now };
    this.send({ type: "ping", payload: { id: this.pinged.id } }, now);
  }

  private dispatch(message: ConsoleMessage, now: number): void {
    switch (message.type) {
      case "connection_status":
        this.greet(message.payload, now);
        return;
      case "ping":
        this.send({ type: "pong", payload: message.payload }, now);
        return;
      case "pong":
        if (message.payload.id === this.pinged?.id) this.handlers.onLatency(now - this.pinged.at);
        return;
      case "console_event":
        if (this.greeted) this.onEvent(message, now);
        else
          this.refuse(
            new BridgeError("invalid_message", "send connection_status before the first console_event", {
              field: "type",
            }),
            message,
          );
        return;
      case "error":
        this.onError(message.payload);
    }
  }

  private greet(
    { status, clientInfo }: Extract<ConsoleMessage, { type: "connection_status" }>["payload"],
    now: number,
  ): void {
    if (status !== "connected") return;
    this.client = clientInfo ?? {};
    this.greeted = true;
    this.send({ type: "connection_status", payload: { status: "connected", clientInfo: this.about } }, now);
  }

  /** Above the limit logs are dropped first; the next event that passes reports how many. */
  private onEvent(event: ConsoleEvent, now: number): void {
    const level = levelOf(event.payload.method);
    if (this.rate.admit(now, level === "error" || level === "warn") === -1) {
      this.dropped++;
      return;
    }
    if (this.dropped > 0 && level !== "error" && level !== "warn")
      this.reportDropped(event.source.tabId, now);
    this.handlers.onEvent(event);
  }

  private reportDropped(tabId: number, now: number): void {
    const message = `more than ${MAX_EVENTS_PER_SECOND} events in a second: ${this.dropped} were dropped, logs before errors and warnings`;
    this.handlers.onDropped(tabId, this.dropped, message);
    this.send(
      { type: "error", payload: { code: "RATE_LIMIT", message, details: { dropped: this.dropped } } },
      now,
    );
    this.dropped = 0;
  }

  private onError({ code, message, details }: Extract<ConsoleMessage, { type: "error" }>["payload"]): void {
    const dropped = Number(details?.dropped);
    if (code === "RATE_LIMIT" && dropped >= 1)
      this.handlers.onDropped(Number(details?.tabId) || 0, Math.floor(dropped), message);
    else this.handlers.onRefused(new BridgeError("internal", `the extension reported ${code}: ${message}`));
  }

  private speaksOurVersion(message: unknown): boolean {
    const version = (message as { version?: unknown } | null)?.version;
    if (typeof version !== "string" || !/^\d+\.\d+\.\d+$/.test(version)) return true;
    if (isCompatible(version, CONSOLE_PROTOCOL_VERSION)) return true;
    const details = { receivedVersion: version, supportedVersions: [...CONSOLE_SUPPORTED_VERSIONS] };
    const advice = `Protocol version ${version} is not supported; update the ${version > CONSOLE_PROTOCOL_VERSION ? "hub" : "extension"}`;
    this.refuse(new BridgeError("unsupported_version", advice, details), undefined);
    return false;
  }

  private refuse(error: BridgeError, received: unknown): void {
    const payload = consolePayloadOf(error);
    const shown = received === undefined ? {} : { received: excerpt(received) };
    this.send(
      { type: "error", payload: { ...payload, details: { ...payload.details, ...shown } } },
      Date.now(),
    );
    this.handlers.onRefused(error);
  }

  private send(message: Pick<ConsoleMessage, "type" | "payload">, now: number): void {
    this.handlers.send(envelope(message, now));
  }
}

/** An error as a message of this wire. */
export function errorEnvelope(error: BridgeError): ConsoleMessage {
  return envelope({ type: "error", payload: consolePayloadOf(error) }, Date.now());
}

function envelope(message: Pick<ConsoleMessage, "type" | "payload">, now: number): ConsoleMessage {
  return {
    version: CONSOLE_PROTOCOL_VERSION,
    timestamp: new Date(now).toISOString(),
    ...message,
  } as ConsoleMessage;
}

/** What was received, as it is when it is short. */
function excerpt(received: unknown): unknown {
  const text = typeof received === "string" ? received : JSON.stringify(received);
  return text.length <= MAX_EXCERPT ? received : text.slice(0, MAX_EXCERPT);
}
