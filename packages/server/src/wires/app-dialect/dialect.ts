import type { TelemetryBody } from "@debug-bridge/driver";
import {
  APP_MESSAGE_LIMITS,
  BridgeError,
  type Command,
  type CommandOutcome,
  type DialectMessage,
} from "@debug-bridge/protocol";
import { decode, dialectHelloSchema, dialectMessageSchema } from "@debug-bridge/protocol/schemas";
import type { Link } from "../../sessions/peers/link.js";
import { DialectChannel } from "./channel.js";
import { type DialectPage, runCommand } from "./commands.js";
import { maskText } from "./masking.js";
import { DialectReceipt } from "./receipt.js";
import { DialectTelemetry } from "./telemetry.js";
import { DialectTree } from "./tree.js";

/** It sends documents of up to five million characters. */
const LIMITS = { ...APP_MESSAGE_LIMITS, bytes: 2 * APP_MESSAGE_LIMITS.bytes };

export interface DialectOptions {
  readonly sessionId: string;
  readonly link: Link;
  /** Takes a message in our own words. */
  emit(message: object): void;
  /** A frame could not be read. Nobody answers it: this SDK would answer in turn. */
  refuse(error: BridgeError): void;
}

/** A command that runs, and what it comes to if the page leaves now. */
interface Running {
  readonly command: Command;
  readonly abort: AbortController;
  onLeft?: () => CommandOutcome;
}

/**
 * Speaks for a page that uses the published SDK `debug-bridge-browser` 0.2. Towards the hub it is an app like any other; the
 * page gets only commands that it knows.
 */
export class Dialect implements Link, DialectPage {
  readonly channel: DialectChannel;
  readonly tree = new DialectTree();
  private readonly telemetry = new DialectTelemetry();
  private readonly running = new Map<string, Running>();
  private readonly receipts = new Set<DialectReceipt>();
  private lastAction: Promise<unknown> = Promise.resolve();
  private sentVersion = 0;
  url = "";

  constructor(private readonly options: DialectOptions) {
    this.channel = new DialectChannel(options.sessionId, (text) => options.link.send(text));
  }

  /** Whether the first frame of a connection is the `hello` of this SDK. */
  static recognises(text: string): boolean {
    return text.includes('"viewport"') && decode(dialectHelloSchema, text, LIMITS).ok;
  }

  get buffered(): number {
    return this.options.link.buffered;
  }

  close(code: number, reason: string): void {
    this.options.link.close(code, reason);
  }

  /** A frame of the page. */
  receive(text: string): void {
    const decoded = decode(dialectMessageSchema, text, LIMITS);
    if (decoded.ok) this.onMessage(decoded.value);
    else this.options.refuse(decoded.error);
  }

  /** What the hub sends to the app. The SDK would answer everything, so it gets only commands. */
  send(data: string | Buffer): void {
    const command = JSON.parse(String(data)) as Command;
    if (command.origin !== "agent" || command.requestId === undefined) return;
    if (command.type === "cancel")
      this.running.get(command.requestId)?.abort.abort(new BridgeError("cancelled", "it was cancelled"));
    else void this.run(command);
  }

  /** The connection ended. An action that was done before is reported as done. */
  leave(reason: string): void {
    for (const { command, onLeft } of [...this.running.values()])
      if (onLeft) this.answer(command, { success: true, ...onLeft() });
    this.channel.lose(reason);
  }

  async refresh(): Promise<void> {
    const reply = await this.channel.ask("request_ui_tree");
    if (reply.type !== "ui_tree") throw new BridgeError("internal", "the app sent no elements");
    this.tree.update(reply.items);
    if (this.tree.version !== this.sentVersion) this.emitTree();
  }

  emitTree(): void {
    this.sentVersion = this.tree.version;
    this.emit({ type: "ui_tree", items: [...this.tree.items], version: this.tree.version });
  }

  emitSnapshot(html: string): void {
    const { sessionId } = this.options;
    const message = {
      protocolVersion: 1 as const,
      sessionId,
      timestamp: Date.now(),
      type: "dom_snapshot" as const,
      html,
    };
    this.report(message);
  }

  /** One action at a time, so that each receipt has only its own effects. */
  acting(command: Command, act: () => Promise<unknown>): Promise<CommandOutcome> {
    const next = this.lastAction.then(
      () => this.watch(command, act),
      () => this.watch(command, act),
    );
    this.lastAction = next.catch(() => {});
    return next;
  }

  private async watch(command: Command, act: () => Promise<unknown>): Promise<CommandOutcome> {
    const receipt = new DialectReceipt(this.tree.items);
    this.receipts.add(receipt);
    try {
      await act();
      const running = this.running.get(command.requestId ?? "");
      if (running) running.onLeft = () => receipt.outcome(false, undefined);
      const isSettled = await receipt.settle("settle" in command ? command.settle : undefined);
      await this.refresh();
      return receipt.outcome(isSettled, this.tree.items);
    } finally {
      this.receipts.delete(receipt);
    }
  }

  private async run(command: Command): Promise<void> {
    const abort = new AbortController();
    const { requestId = "" } = command;
    this.running.set(requestId, { command, abort });
    const cancelled = new Promise<never>((_resolve, reject) => {
      abort.signal.addEventListener("abort", () => reject(abort.signal.reason));
    });
    try {
      const outcome = await Promise.race([runCommand(this, command, abort.signal), cancelled]);
      this.answer(command, { success: true, ...outcome });
    } catch (thrown) {
      this.answer(command, BridgeError.from(thrown).toCommandResult());
    }
  }

  /** Answers a command once. */
  private answer(command: Command, result: object): void {
    const { requestId = "", type } = command;
    if (!this.running.delete(requestId)) return;
    const about = { type: "command_result", requestType: type, requestId };
    this.options.emit({ ...this.base(Date.now()), ...about, ...result });
  }

  private onMessage(message: DialectMessage): void {
    if (message.type === "hello") this.url = maskText(message.url);
    if (message.type === "navigation") this.url = maskText(message.url);
    if (this.channel.receive(message)) return;
    if (message.type === "ui_tree") {
      this.tree.update(message.items);
      this.emitTree();
    } else this.report(message);
  }

  private report(message: DialectMessage): void {
    const body = this.telemetry.translate(message);
    if (!body) return;
    for (const receipt of this.receipts) receipt.record(body);
    this.emit(body, message.timestamp);
  }

  private emit(body: TelemetryBody, timestamp = Date.now()): void {
    this.options.emit({ ...body, ...this.base(timestamp) });
  }

  private base(timestamp: number): object {
    return { sessionId: this.options.sessionId, timestamp, origin: "app" };
  }
}
