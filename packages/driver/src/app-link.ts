import { randomUUID } from "node:crypto";
import type { TelemetryBody } from "@debug-bridge/page/records";
import {
  APP_PROTOCOL_VERSION,
  appSideForm,
  type Command,
  type CommandOutcome,
  type HubMessage,
  Peer,
  type SessionKind,
  type Transport,
} from "@debug-bridge/protocol";

export interface AppLinkOptions {
  readonly sessionId: string;
  readonly kind: SessionKind;
  readonly appName?: string | undefined;
  readonly userAgent: string;
  readonly capabilities: readonly string[];
  run(command: Command, signal: AbortSignal): Promise<CommandOutcome>;
  /** Whether every agent understands differences of the tree. */
  onDeltas(deltas: boolean): void;
  onClose(): void;
}

/** Speaks the app wire for a driven page: the hub sees one more app. */
export class AppLink {
  deltas = false;
  private readonly peer: Peer<Command, CommandOutcome, HubMessage>;
  private instanceId: string | undefined;

  constructor(
    transport: Transport,
    private readonly options: AppLinkOptions,
  ) {
    this.peer = new Peer(transport, appSideForm(options.sessionId), {
      onRequest: (command, signal) => options.run(command, signal),
      onEvent: (event) => {
        if (event.type !== "welcome" && event.type !== "agents_changed") return;
        this.deltas = event.deltas === true;
        options.onDeltas(this.deltas);
      },
      onClose: () => options.onClose(),
    });
  }

  /** Announces a new document: the messages that follow are about it. */
  sendHello(url: string, title: string): void {
    this.instanceId = randomUUID();
    const { appName, kind, userAgent, capabilities } = this.options;
    const named = appName === undefined ? {} : { appName };
    const protocolVersion = APP_PROTOCOL_VERSION;
    const { instanceId } = this;
    this.send({ type: "hello", protocolVersion, ...named, url, userAgent, title, kind, instanceId });
    this.send({ type: "capabilities", protocolVersion, capabilities: [...capabilities] });
  }

  send(body: TelemetryBody): void {
    const { sessionId } = this.options;
    const { instanceId } = this;
    const isTree = body.type === "ui_tree" || body.type === "ui_tree_delta";
    const whose = isTree && instanceId !== undefined ? { instanceId } : {};
    this.peer.notify({ sessionId, timestamp: Date.now(), origin: "app", ...whose, ...body });
  }

  close(): void {
    this.peer.close("the page is no longer driven");
  }
}
