import type { ClientSession } from "../clients/client-session.js";
import type { Params } from "../wire/messages.js";

/** Above this, the oldest are forgotten: then the first client that releases one releases it for all. */
const MAX_OBJECTS = 10_000;

/**
 * Objects of a page that one event gave to several clients. Chrome knows only one holder, so an object is released there
 * when the last client has released it.
 */
export class SharedObjects {
  private readonly holders = new Map<string, Set<ClientSession>>();

  share(method: string, params: Params, sessions: readonly ClientSession[]): void {
    if (sessions.length < 2) return;
    for (const objectId of objectsIn(method, params)) {
      this.holders.set(objectId, new Set(sessions));
      if (this.holders.size > MAX_OBJECTS) this.holders.delete(this.holders.keys().next().value as string);
    }
  }

  /** A client releases an object; true when no other client holds it. */
  release(objectId: string, session: ClientSession): boolean {
    const holding = this.holders.get(objectId);
    if (!holding) return true;
    holding.delete(session);
    if (holding.size > 0) return false;
    this.holders.delete(objectId);
    return true;
  }

  /** A client leaves; returns the objects that only it still held. */
  leave(session: ClientSession): string[] {
    return [...this.holders]
      .filter(([, holding]) => holding.has(session))
      .map(([objectId]) => objectId)
      .filter((objectId) => this.release(objectId, session));
  }

  clear(): void {
    this.holders.clear();
  }
}

function objectsIn(method: string, params: Params): string[] {
  const values =
    method === "Runtime.consoleAPICalled"
      ? (params.args as readonly Params[])
      : [(params.exceptionDetails as Params | undefined)?.exception as Params | undefined];
  return values.flatMap((value) => (typeof value?.objectId === "string" ? [value.objectId] : []));
}
