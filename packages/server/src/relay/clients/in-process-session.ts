import { BridgeError, Correlator, type ErrorCode, errorFromBody } from "@debug-bridge/protocol";
import type { RelayCore } from "../relay-core.js";
import type { CdpFailure, Params } from "../wire/messages.js";

const GONE = "the debugger left the tab, or the tab was closed";

type Listener = (params: Params) => void;

/** A CDP session on a tab for a part of the hub: like that of a client on a socket, without the socket. */
export interface CdpSession {
  readonly targetId: string;
  /** Sends a command to the page; rejects with a BridgeError. */
  send<Result = Params>(method: string, params?: object): Promise<Result>;
  /** Calls `listener` for an event, or with `*` for every event; returns a function that stops it. */
  on(event: string, listener: (params: Params, method: string) => void): () => void;
  /** Called when the tab is gone or the session was closed. */
  onClose(listener: (reason: string) => void): void;
  /** The session of a frame that this one has reported as attached. */
  child(sessionId: string): CdpSession;
  close(): void;
}

export interface OpenTabOptions {
  /** The name that the person and the audit log see. */
  readonly name?: string;
  /** Follows other clients: it does not keep the debugger in the tab, and is closed when they leave. */
  readonly follows?: boolean;
}

/**
 * Opens a session on a tab. It is isolated from other clients, and attaches at its first command. When the debugger
 * leaves the tab, for whatever reason, the session is closed.
 */
export function openTab(relay: RelayCore, targetId: string, options: OpenTabOptions = {}): CdpSession {
  const { name = "debug-bridge", follows = false } = options;
  const replies = new Correlator<Params>();
  /** By session and event. */
  const listeners = new Map<string, Set<(params: Params, method: string) => void>>();
  const closers = new Set<(reason: string) => void>();
  let nextId = 1;
  let sessionId = "";
  let closed = false;

  const client = relay.connect(name, receive);
  client.isInside = true;
  client.follows = follows;
  function receive(text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      method?: string;
      params?: Params;
      result?: Params;
      error?: CdpFailure;
      sessionId?: string;
    };
    if (message.id !== undefined) {
      const id = String(message.id);
      if (message.error) replies.fail(id, toError(message.error));
      else replies.settle(id, message.result ?? {});
    } else if (message.method === "Target.detachedFromTarget" && message.params?.sessionId === sessionId)
      close();
    else if (message.method !== undefined) {
      const whose = message.sessionId === sessionId ? "" : message.sessionId;
      for (const key of [message.method, "*"])
        for (const listener of listeners.get(`${whose} ${key}`) ?? [])
          listener(message.params ?? {}, message.method);
    }
  }
  const request = (method: string, params: object, on: string): Promise<Params> => {
    if (closed)
      return Promise.reject(
        new BridgeError("target_not_found", `the tab ${targetId} is gone; list the tabs again`),
      );
    const id = nextId++;
    const reply = replies.open(String(id));
    relay.receive(client, { id, method, params: params as Params, sessionId: on });
    return reply;
  };
  function close(): void {
    if (closed) return;
    closed = true;
    relay.disconnect(client);
    replies.lose(GONE);
    for (const listener of closers) listener(GONE);
  }
  const attached = request("Target.attachToTarget", { targetId, flatten: true }, "").then((result) => {
    sessionId = String(result.sessionId);
  });
  attached.catch(() => close());

  /** The session of the tab has no id before it is attached. */
  const sessionOf = (childId: string): CdpSession => ({
    targetId,
    async send<Result = Params>(method: string, params: object = {}) {
      await attached;
      return request(method, params, childId || sessionId) as Promise<Result>;
    },
    on(event, listener) {
      const key = `${childId} ${event}`;
      const set = listeners.get(key) ?? new Set<Listener>();
      listeners.set(key, set);
      set.add(listener as Listener);
      return () => set.delete(listener as Listener);
    },
    onClose: (listener) => void closers.add(listener),
    child: sessionOf,
    close,
  });
  return sessionOf("");
}

function toError({ message, data }: CdpFailure): BridgeError {
  return errorFromBody({ code: typeof data === "string" ? (data as ErrorCode) : "internal", message });
}
