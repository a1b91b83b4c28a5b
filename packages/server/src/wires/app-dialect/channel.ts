import { BridgeError, Correlator, type DialectMessage, type DialectMessageOf } from "@debug-bridge/protocol";

const REPLY_TIMEOUT_MS = 20_000;
/** What the page knows of itself, besides what the app reports. It is sent only because it was asked for. */
const BUILT_IN = new Set("cookies localStorage sessionStorage location navigator screen viewport".split(" "));
/** A command that the SDK does not know. It answers at once that it does not, and so marks the end of what came before. */
const MARKER = "end_of_state";

const CODES: Readonly<Record<string, BridgeError["code"]>> = {
  TARGET_NOT_FOUND: "target_not_found",
  TARGET_NOT_VISIBLE: "not_actionable",
  TARGET_DISABLED: "not_actionable",
  TIMEOUT: "timeout",
  EVAL_DISABLED: "eval_disabled",
  EVAL_ERROR: "evaluation_failed",
  NAVIGATION_FAILED: "navigation_failed",
  INVALID_COMMAND: "not_supported",
};

/** Sends commands to the page in its own words, and finds their answers. */
export class DialectChannel {
  private readonly replies = new Correlator<DialectMessage>();
  private collected: Map<string, unknown> | undefined;
  private lastState: Promise<unknown> = Promise.resolve();
  private nextId = 1;

  constructor(
    private readonly sessionId: string,
    private readonly send: (text: string) => void,
  ) {}

  /** Sends a command and waits for its answer. */
  ask(type: string, fields: object = {}): Promise<DialectMessage> {
    const requestId = `hub-${this.nextId++}`;
    const reply = this.replies.open(requestId, { timeoutMs: REPLY_TIMEOUT_MS });
    const base = { protocolVersion: 1, sessionId: this.sessionId, timestamp: Date.now() };
    this.send(JSON.stringify({ ...base, ...fields, type, requestId }));
    return reply;
  }

  /** Sends a command that is answered with a `command_result`; throws what it reports. */
  async command(type: string, fields: object): Promise<DialectMessageOf<"command_result">> {
    const reply = await this.ask(type, fields);
    if (reply.type !== "command_result")
      throw new BridgeError("internal", `${type} was answered with ${reply.type}`);
    if (!reply.success) throw errorOf(type, reply.error);
    return reply;
  }

  /** The state of the page by scope, one request at a time: the answers do not say which request they answer. */
  state(scope?: string): Promise<ReadonlyMap<string, unknown>> {
    const collect = async (): Promise<ReadonlyMap<string, unknown>> => {
      const found = new Map<string, unknown>();
      this.collected = found;
      try {
        void this.ask("request_state", scope === undefined ? {} : { scope }).catch(() => {});
        await this.ask(MARKER);
      } finally {
        this.collected = undefined;
      }
      return found;
    };
    const next = this.lastState.then(collect, collect);
    this.lastState = next.catch(() => {});
    return next;
  }

  /** Whether a message was an answer that nobody else needs. */
  receive(message: DialectMessage): boolean {
    if (message.type === "state_update") {
      this.collected?.set(message.scope, message.state);
      return this.collected !== undefined && BUILT_IN.has(message.scope);
    }
    const isReply = /^(?:command_result|ui_tree|dom_snapshot|screenshot)$/.test(message.type);
    const { requestId } = message as { requestId?: string };
    return isReply && requestId !== undefined && (this.replies.settle(requestId, message) || true);
  }

  lose(reason: string): void {
    this.replies.lose(reason);
  }
}

function errorOf(type: string, error: DialectMessageOf<"command_result">["error"]): BridgeError {
  const known = CODES[String(error?.code)];
  const code = known ?? (type === "evaluate" ? "evaluation_failed" : "internal");
  return new BridgeError(code, error?.message ?? `the app could not ${type}`);
}
