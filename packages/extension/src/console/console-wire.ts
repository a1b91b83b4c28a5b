import {
  CONSOLE_PROTOCOL_VERSION,
  CONSOLE_SUPPORTED_VERSIONS,
  Correlator,
  isCompatible,
} from "@debug-bridge/protocol";
import { consoleUrl } from "../connection/address.js";
import type { RetryPolicy } from "../connection/state.js";
import type { Wire, WireLink } from "../connection/wire.js";
import { type ClientInfo, errorText, pingText, pongText, statusText } from "./envelope.js";
import { type HubMessage, readHubMessage } from "./hub-messages.js";
import { upgradeAdvice } from "./upgrade-advice.js";

/** What the popup shows of the console wire beside its connection state. */
export interface ConsoleDetails {
  readonly hubVersion?: string;
  readonly latencyMs?: number;
  /** Messages that either side could not read. */
  readonly messageErrors: number;
  readonly lastMessageError?: string;
}

export interface ConsoleWireOptions {
  readonly clientInfo: () => Promise<ClientInfo>;
  /** Both sides have introduced themselves; events may be sent. */
  readonly onReady: () => void;
  /** The connection is gone; what was not confirmed may not have arrived. */
  readonly onLost: () => void;
  readonly onDetails: () => void;
  readonly logError: (text: string) => void;
}

const PONG_TIMEOUT_MS = 15_000;
/** Often enough that Chrome, which stops an idle worker after 30 s, leaves this one alone. */
const IDLE_PING_MS = 20_000;

/** The console wire: handshake, versions, pings. */
export class ConsoleWire implements Wire {
  readonly name = "console";
  /** The specification gives these delays, so they are exact. */
  readonly policy: RetryPolicy = {
    firstMs: 1_000,
    maxMs: 16_000,
    maxRetries: 5,
    maxFirstRetries: 5,
    random: () => 1,
  };
  readonly handshakeTimeoutMs = 5_000;
  readonly url = consoleUrl;
  private state: ConsoleDetails = { messageErrors: 0 };
  /** Set while events may be sent. */
  private link: WireLink | undefined;
  private pongs = new Correlator<void>();
  private pingCount = 0;
  private idleTimer: ReturnType<typeof setTimeout> | undefined;
  private info: ClientInfo | undefined;

  constructor(private readonly options: ConsoleWireOptions) {}

  get isReady(): boolean {
    return this.link !== undefined;
  }

  get details(): ConsoleDetails {
    return this.state;
  }

  send(text: string): void {
    this.link?.send(text);
  }

  /**
   * Sends a ping. The promise resolves when the hub has read everything that was sent before it, and rejects when the
   * connection ends first. `undefined` when another ping is on its way, or when there is no connection.
   */
  ping(): Promise<void> | undefined {
    const { link } = this;
    if (!link || this.pongs.size > 0) return undefined;
    clearTimeout(this.idleTimer);
    const id = `ping-${++this.pingCount}-${Date.now()}`;
    const sentAt = performance.now();
    const pong = this.pongs.open(id, { timeoutMs: PONG_TIMEOUT_MS }, () =>
      link.fail(`the hub did not answer a ping within ${PONG_TIMEOUT_MS / 1_000} s`),
    );
    link.send(pingText(id));
    return pong.then(() => {
      this.update({ latencyMs: Math.round((performance.now() - sentAt) * 10) / 10 });
      this.idleTimer = setTimeout(() => this.pingIdleHub(), IDLE_PING_MS);
    });
  }

  onOpen(link: WireLink, lostReason: string | undefined): void {
    void this.options.clientInfo().then((info) => {
      this.info = info;
      if (lostReason !== undefined) link.send(statusText("reconnecting", info, lostReason));
      link.send(statusText("connected", info));
    });
  }

  onMessage(data: unknown, link: WireLink): void {
    const message = readHubMessage(data);
    if (typeof message === "string") {
      this.options.logError(`from the hub: ${message}`);
      this.countError(message);
      return;
    }
    switch (message.type) {
      case "ping":
        link.send(pongText(message.id));
        break;
      case "pong":
        this.pongs.settle(message.id, undefined);
        break;
      case "error":
        this.onError(message, link);
        break;
      case "connection_status":
        if (message.status === "connected" && !this.link) this.onAcknowledged(message, link);
    }
  }

  onEnd(): void {
    clearTimeout(this.idleTimer);
    const wasReady = this.link !== undefined;
    this.link = undefined;
    this.pongs.lose("the connection ended");
    this.pongs = new Correlator();
    const { messageErrors, lastMessageError } = this.state;
    this.state = { messageErrors, ...(lastMessageError ? { lastMessageError } : {}) };
    if (wasReady) this.options.onLost();
  }

  goodbye(reason: string): string {
    return statusText("disconnected", this.info, reason);
  }

  private onAcknowledged(
    { version, cliVersion }: HubMessage & { type: "connection_status" },
    link: WireLink,
  ): void {
    if (!isCompatible(version, CONSOLE_PROTOCOL_VERSION)) {
      link.send(
        errorText("UNSUPPORTED_VERSION", `Protocol version ${version} is not supported`, {
          receivedVersion: version,
          supportedVersions: CONSOLE_SUPPORTED_VERSIONS,
        }),
      );
      link.incompatible(upgradeAdvice(version, []));
      return;
    }
    this.link = link;
    link.ready();
    const { messageErrors } = this.state;
    this.state = { messageErrors, ...(cliVersion ? { hubVersion: cliVersion } : {}) };
    this.options.onDetails();
    this.options.onReady();
    this.pingIdleHub();
  }

  private onError(
    { code, message, version, supportedVersions }: HubMessage & { type: "error" },
    link: WireLink,
  ): void {
    this.options.logError(`the hub reported ${code}: ${message}`);
    if (code !== "UNSUPPORTED_VERSION") {
      this.countError(`${code}: ${message}`);
      return;
    }
    this.onEnd();
    link.incompatible(upgradeAdvice(version, supportedVersions));
  }

  private pingIdleHub(): void {
    // A connection that ends is reported by `onEnd`.
    this.ping()?.catch(() => {});
  }

  private countError(text: string): void {
    this.update({ messageErrors: this.state.messageErrors + 1, lastMessageError: text });
  }

  private update(part: Partial<ConsoleDetails>): void {
    this.state = { ...this.state, ...part };
    this.options.onDetails();
  }
}
