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
  liberalEvent,
  RateWindow,
} from "@debug-bridge/protocol";
import { check, consoleFrameSchema, parseBounded } from "@debug-bridge/protocol/schemas";
import { HUB_LIMITS } from "../../bounds/limits.js";
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
  /** Counts a frame that was wrong; false when the connection was closed for it. */
  onInvalid(): boolean;
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

  /**
   * Reads one frame: a message or a batch of them. One that is wrong does not keep the others out. Of several that are
   * wrong the first is reported, with their number; the rest of a batch with too many of them is not read.
   */
  receive(text: string, now: number): void {
    const parsed = parseBounded(text, CONSOLE_MESSAGE_LIMITS);
    if (!parsed.ok) {
      this.refuse(parsed.error, text);
      return;
    }
    const messages: unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
    if (messages.length > HUB_LIMITS.batch) {
      this.refuse(tooManyMessages(messages.length), undefined);
      return;
    }
    const wrong: Wrong[] = [];
    for (const message of messages) {
      const found = this.read(message, now);
      if (found && wrong.push(found) === HUB_LIMITS.wrongInBatch) break;
    }
    const [first] = wrong;
    if (first) this.refuse(first.error, first.received, wrong.length);
  }

  /** Checks that the extension is alive, and measures the latency. */
  ping(now: number): void {
    this.pinged = { id: `ping-${now}`, at: now };
    this.send({ type: "ping", payload: { id: this.pinged.id } }, now);
  }

  /** Reads one message; what is wrong with it, if something is. */
  private read(message: unknown, now: number): Wrong | undefined {
    const version = unsupportedVersion(message);
    if (version) return { error: version, received: undefined };
    const strict = check(consoleFrameSchema.options[0], message);
    // Others fill the fields that the protocol leaves open in their own way.
    const liberal = strict.ok ? strict : check(consoleFrameSchema.options[0], liberalEvent(message));
    const checked = liberal.ok ? liberal : strict;
    if (!checked.ok) return { error: checked.error, received: message };
    if (checked.value.type === "console_event" && !this.greeted)
      return { error: notGreeted(), received: message };
    this.dispatch(checked.value, now);
    return undefined;
  }

  private dispatch(message: ConsoleMessage, now: number): void {
    switch (message.type) {
      case "connection_status":
        this.onHello(message.payload, now);
        return;
      case "ping":
        this.send({ type: "pong", payload: message.payload }, now);
        return;
      case "pong":
        if (message.payload.id === this.pinged?.id) this.handlers.onLatency(now - this.pinged.at);
        return;
      case "console_event":
        this.onEvent(message, now);
        return;
      case "error":
        this.onError(message.payload);
    }
  }

  private onHello(
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

  private refuse(error: BridgeError, received: unknown, count = 1): void {
    this.handlers.onRefused(error);
    if (!this.handlers.onInvalid()) return;
    const payload = consolePayloadOf(error);
    const shown = received === undefined ? {} : { received: excerpt(received) };
    const more = count > 1 ? { wrong: count } : {};
    this.send(
      { type: "error", payload: { ...payload, details: { ...payload.details, ...shown, ...more } } },
      Date.now(),
    );
  }

  private send(message: Pick<ConsoleMessage, "type" | "payload">, now: number): void {
    this.handlers.send(envelope(message, now));
  }
}

interface Wrong {
  readonly error: BridgeError;
  readonly received: unknown;
}

function unsupportedVersion(message: unknown): BridgeError | undefined {
  const version = (message as { version?: unknown } | null)?.version;
  if (typeof version !== "string" || !/^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(version)) return undefined;
  if (isCompatible(version, CONSOLE_PROTOCOL_VERSION)) return undefined;
  const details = { receivedVersion: version, supportedVersions: [...CONSOLE_SUPPORTED_VERSIONS] };
  const advice = `Protocol version ${version} is not supported; update the ${version > CONSOLE_PROTOCOL_VERSION ? "hub" : "extension"}`;
  return new BridgeError("unsupported_version", advice, details);
}

function notGreeted(): BridgeError {
  return new BridgeError("invalid_message", "send connection_status before the first console_event", {
    field: "type",
  });
}

function tooManyMessages(count: number): BridgeError {
  return new BridgeError(
    "too_large",
    `the batch has ${count} messages; at most ${HUB_LIMITS.batch} are allowed. Send more batches`,
  );
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
