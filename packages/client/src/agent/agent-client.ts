import {
  type AgentSideEvent,
  APPROVAL_TIMEOUT_MS,
  agentSideForm,
  BridgeError,
  type CommandInput,
  type CommandResult,
  fence,
  Peer,
  type PeerRequestOptions,
  runOfClient,
  type Target,
  type TimelineRecord,
  type Transport,
} from "@debug-bridge/protocol";
import { type AgentAddress, openSocket, socketTransport } from "./socket.js";

export interface ObserveOptions {
  /** Maximum number of tokens of the text; 2,000 by default. */
  readonly maxTokens?: number;
  /** Continues where the last observation stopped. */
  readonly cursor?: string;
  /** Shows only what changed after this version. */
  readonly since?: number;
  /** Shows only the inside of this element. */
  readonly target?: Target;
}

export interface Observation {
  /** What can be seen and used. It is fenced, because a page wrote it. */
  readonly text: string;
  /** Pass it as `since` later. */
  readonly version: number;
  readonly tokens: number;
  readonly total: number;
  /** Present when there is more. */
  readonly nextCursor?: string;
}

/** What came of a list of actions. */
export interface ActedList {
  /** The results of the actions that were done, in their order, each with its receipt. */
  readonly results: readonly CommandResult[];
  /** Why the next action failed; those after it were not sent. */
  readonly error?: BridgeError;
}

let clients = 0;

/**
 * An agent's connection to one session.
 *
 * @example
 * const app = await connect({ sessionId: "local-dev" });
 * const { text } = await app.observe();
 * const { receipt } = await app.act({ type: "click", target: { text: "Save" } });
 * for await (const record of app.events()) console.log(record.type, record.data);
 */
export class AgentClient {
  private readonly peer: Peer<CommandInput, CommandResult, AgentSideEvent>;
  private closed: () => void = () => {};
  private listChanged: (() => void) | undefined;
  /** The first announcement may come before anybody listens. */
  private wasListAnnounced = false;

  private constructor(
    private readonly address: AgentAddress,
    transport: Transport,
  ) {
    const form = agentSideForm(address.sessionId);
    this.peer = new Peer(
      transport,
      form,
      {
        onClose: () => this.closed(),
        onEvent: ({ type }) => {
          if (type !== "sessions_changed") return;
          this.wasListAnnounced = true;
          this.listChanged?.();
        },
      },
      `c${process.pid}-${++clients}-`,
    );
  }

  /** The listener is called once, when the connection ends. */
  onClose(listener: () => void): void {
    this.closed = listener;
  }

  /** The listener is called when the hub's list of sessions changes, and once when the connection is open. */
  onListChanged(listener: () => void): void {
    this.listChanged = listener;
    if (this.wasListAnnounced) listener();
  }

  static async open(address: AgentAddress): Promise<AgentClient> {
    const { hub, sessionId, name } = address;
    if (hub.joinAsAgent) return new AgentClient(address, hub.joinAsAgent({ sessionId, name }));
    const socket = await openSocket(address, { quiet: "1", sessions: "1" });
    return new AgentClient(address, socketTransport(socket));
  }

  /** What can be seen and used in the app now, within a budget. */
  async observe(options: ObserveOptions = {}): Promise<Observation> {
    const result = await this.act({ type: "request_ui_tree", format: "text", ...options });
    const { version = 0, url = "" } = (result.value ?? {}) as { version?: number; url?: string };
    return {
      text: fence(result.result ?? "", { url }),
      version,
      tokens: result.page?.tokens ?? 0,
      total: result.page?.total ?? 0,
      ...(result.page?.nextCursor ? { nextCursor: result.page.nextCursor } : {}),
    };
  }

  /**
   * Sends any command and waits for its result. If the session has several pages, the newest one gets it unless
   * `instanceId` names another. A failure is thrown as a BridgeError with its code and details.
   *
   * A list is sent one after the other, each when the one before has settled, up to the first failure. Its answer has
   * the results so far and the failure, which is not thrown.
   */
  act(command: CommandInput, options?: PeerRequestOptions): Promise<CommandResult>;
  act(commands: readonly CommandInput[], options?: PeerRequestOptions): Promise<ActedList>;
  act(
    given: CommandInput | readonly CommandInput[],
    options: PeerRequestOptions = {},
  ): Promise<CommandResult | ActedList> {
    return isList(given) ? this.sendAll(given, options) : this.send(given, options);
  }

  private async sendAll(commands: readonly CommandInput[], options: PeerRequestOptions): Promise<ActedList> {
    const results: CommandResult[] = [];
    for (const command of commands) {
      try {
        results.push(await this.send(command, options));
      } catch (thrown) {
        return { results, error: BridgeError.from(thrown) };
      }
    }
    return { results };
  }

  private send(command: CommandInput, options: PeerRequestOptions): Promise<CommandResult> {
    // The agent of a chat may have to wait for the person.
    const forPerson = runOfClient(this.address.name ?? "") === undefined ? 0 : APPROVAL_TIMEOUT_MS;
    const timeoutMs = (options.timeoutMs ?? (command.timeoutMs ?? 0) + 60_000) + forPerson;
    return this.peer.request({ instanceId: "newest", ...command }, { ...options, timeoutMs });
  }

  /**
   * The session's timeline: the stored records after `since`, then new ones as they happen. Without `since`, only new
   * ones. Ends when the connection does.
   */
  async *events(since?: number): AsyncGenerator<TimelineRecord, void> {
    const query = since === undefined ? { records: "1" } : { since: String(since) };
    const socket = await openSocket(this.address, { ...query, deltas: "1" });
    const records: TimelineRecord[] = [];
    let wake = (): void => {};
    let open = true;
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as TimelineRecord;
      if (typeof message.sequence === "number") records.push(message);
      wake();
    });
    socket.on("close", () => {
      open = false;
      wake();
    });
    socket.resume();
    try {
      while (open || records.length > 0) {
        const record = records.shift();
        if (record) yield record;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      socket.terminate();
    }
  }

  close(): void {
    this.peer.close();
  }
}

function isList(given: CommandInput | readonly CommandInput[]): given is readonly CommandInput[] {
  return Array.isArray(given);
}
