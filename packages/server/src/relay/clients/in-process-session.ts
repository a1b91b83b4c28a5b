import { BridgeError, type ErrorCode } from "@debug-bridge/protocol";
import type { RelayCore } from "../relay-core.js";
import type { CdpFailure, Params } from "../wire/messages.js";

type Listener = (params: Params) => void;

/** A CDP session on a tab, for a part of the hub: what a client on a socket has, without the socket. */
export interface CdpSession {
  readonly targetId: string;
  /** Asks the page; rejects with a BridgeError. */
  send<Result = Params>(method: string, params?: object): Promise<Result>;
  /** Listens to an event; returns how to stop. `*` hears all, with the method as the second argument. */
  on(event: string, listener: (params: Params, method: string) => void): () => void;
  /** Called when the tab is gone or the session was closed. */
  onClose(listener: (reason: string) => void): void;
  close(): void;
}

export interface OpenTabOptions {
  /** What the person and the audit log see. */
  readonly name?: string;
  /** Only looks on while others work in the tab: it does not keep the debugger there, and is closed with it. */
  readonly follows?: boolean;
}

/**
 * Opens a session on a tab. It is isolated from other clients as any client is, and attaches at its first command. When
 * the debugger leaves the tab, whoever took it out, the session is closed.
 */
export function openTab(relay: RelayCore, targetId: string, options: OpenTabOptions = {}): CdpSession {
  const { name = "debug-bridge", follows = false } = options;
  const waiting = new Map<number, { resolve: (result: Params) => void; reject: (error: Error) => void }>();
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
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) asked?.reject(toError(message.error));
      else asked?.resolve(message.result ?? {});
    } else if (message.method === "Target.detachedFromTarget" && message.params?.sessionId === sessionId)
      close();
    else if (message.sessionId === sessionId && message.method !== undefined) {
      for (const key of [message.method, "*"])
        for (const listener of listeners.get(key) ?? []) listener(message.params ?? {}, message.method);
    }
  }
  const ask = (method: string, params: object, on: string): Promise<Params> =>
    new Promise((resolve, reject) => {
      if (closed) {
        reject(new BridgeError("target_not_found", `the tab ${targetId} is gone; list the tabs anew`));
        return;
      }
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      relay.receive(client, { id, method, params: params as Params, sessionId: on, text: "" });
    });
  function close(): void {
    if (closed) return;
    closed = true;
    relay.disconnect(client);
    for (const { reject } of waiting.values())
      reject(new BridgeError("target_not_found", `the tab ${targetId} is gone; list the tabs anew`));
    waiting.clear();
    for (const listener of closers) listener("the debugger was taken out of the tab, or the tab is gone");
  }
  const attached = ask("Target.attachToTarget", { targetId, flatten: true }, "").then((result) => {
    sessionId = String(result.sessionId);
  });
  attached.catch(() => close());

  return {
    targetId,
    async send<Result = Params>(method: string, params: object = {}) {
      await attached;
      return ask(method, params, sessionId) as Promise<Result>;
    },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set<Listener>();
      listeners.set(event, set);
      set.add(listener as Listener);
      return () => set.delete(listener as Listener);
    },
    onClose: (listener) => void closers.add(listener),
    close,
  };
}

function toError({ message, data }: CdpFailure): BridgeError {
  return BridgeError.fromBody({ code: typeof data === "string" ? (data as ErrorCode) : "internal", message });
}
