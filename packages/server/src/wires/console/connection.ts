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
} from "@debug-bridge/protocol";
import { check, consoleFrameSchema, parseBounded } from "@debug-bridge/protocol/schemas";
import type { BrowserInfo } from "./intake.js";

/** More than this in a second is not taken from one connection, errors and warnings excepted. */
const MOST_EVENTS_PER_SECOND = 20_000;

export interface ConnectionHandlers {
  send(message: ConsoleMessage): void;
  onEvent(event: ConsoleEvent): void;
  onDropped(tabId: number, dropped: number, reason: string): void;
  onLatency(milliseconds: number): void;
  onRefused(error: BridgeError): void;
}

/**
 * The hub's end of one console wire connection: handshake, versions, pings, limits. Pure but for the handlers: time and
 * frames are passed in.
 */
export class ConsoleConnection {
  client: BrowserInfo & { extensionVersion?: string | undefined } = {};
  private greeted = false;
  private second = 0;
  private taken = 0;
  private dropped = 0;
  private pinged: { id: string; at: number } | undefined;

  constructor(
    private readonly handlers: ConnectionHandlers,
    private readonly about: { cliVersion: string; platform: string },
  ) {}

  /** Takes one frame: a message or a batch of them. Whatever is wrong with one does not keep the others out. */
  receive(text: string, now: number): void {
    const parsed = parseBounded(text, CONSOLE_MESSAGE_LIMITS);
    if (!parsed.ok) {
      this.refuse(parsed.error, undefined);
      return;
    }
    const single = consoleFrameSchema.options[0];
    const messages: unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
    for (const message of messages) {
      if (!this.speaksOurVersion(message)) continue;
      const checked = check(single, message);
      if (checked.ok) this.take(checked.value, now);
      else this.refuse(checked.error, message);
    }
  }

  /** Asks for a sign of life and measures how long it takes. */
  ping(now: number): void {
    this.pinged = { id: `ping-${now}`, at: now };
    this.send({ type: "ping", payload: { id: this.pinged.id } }, now);
  }

  private take(message: ConsoleMessage, now: number): void {
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
        if (this.greeted) this.takeEvent(message, now);
        else
          this.refuse(
            new BridgeError("invalid_message", "say connection_status before the first event", {
              field: "type",
            }),
            message,
          );
        return;
      case "error":
        this.takeError(message.payload);
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

  /** Counts by the second; above the limit logs go first. */
  private takeEvent(event: ConsoleEvent, now: number): void {
    const second = Math.floor(now / 1_000);
    if (second !== this.second) {
      if (this.dropped > 0) this.reportDropped(event.source.tabId, now);
      this.second = second;
      this.taken = 0;
    }
    const level = levelOf(event.payload.method);
    if (++this.taken > MOST_EVENTS_PER_SECOND && level !== "error" && level !== "warn") this.dropped++;
    else this.handlers.onEvent(event);
  }

  private reportDropped(tabId: number, now: number): void {
    const message = `more than ${MOST_EVENTS_PER_SECOND} events in a second: ${this.dropped} logs were dropped, errors and warnings were not`;
    this.handlers.onDropped(tabId, this.dropped, message);
    this.send(
      { type: "error", payload: { code: "RATE_LIMIT", message, details: { dropped: this.dropped } } },
      now,
    );
    this.dropped = 0;
  }

  private takeError({ code, message, details }: Extract<ConsoleMessage, { type: "error" }>["payload"]): void {
    const dropped = Number(details?.dropped);
    if (code === "RATE_LIMIT" && dropped >= 1)
      this.handlers.onDropped(Number(details?.tabId) || 0, Math.floor(dropped), message);
    else this.handlers.onRefused(new BridgeError("internal", `the extension reports ${code}: ${message}`));
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
    const shown = received === undefined ? {} : { received: JSON.stringify(received).slice(0, 1_000) };
    this.send(
      { type: "error", payload: { ...payload, details: { ...payload.details, ...shown } } },
      Date.now(),
    );
    this.handlers.onRefused(error);
  }

  private send(message: Pick<ConsoleMessage, "type" | "payload">, now: number): void {
    const envelope = {
      version: CONSOLE_PROTOCOL_VERSION,
      timestamp: new Date(now).toISOString(),
      ...message,
    };
    this.handlers.send(envelope as ConsoleMessage);
  }
}
