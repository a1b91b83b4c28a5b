import { BridgeError, type SessionKind } from "@debug-bridge/protocol";

/**
 * Who a session belongs to: pages of one origin, programs that have none, unpaired programs on the console wire, an agent's
 * files, or a provider inside the hub. The first app of a session decides, and nobody else can join it as an app.
 */
export type Owner =
  | { readonly kind: "origin"; readonly origin: string }
  | { readonly kind: "program" }
  | { readonly kind: "console" }
  | { readonly kind: "files" }
  | { readonly kind: "hub"; readonly sessions: SessionKind };

/** The owner of sessions that an app on a socket opens, by its `Origin` header. */
export function ownerOf(origin: string | undefined): Owner {
  return origin === undefined ? { kind: "program" } : { kind: "origin", origin };
}

export function isSameOwner(a: Owner, b: Owner): boolean {
  if (a.kind === "origin" && b.kind === "origin") return a.origin === b.origin;
  if (a.kind === "hub" && b.kind === "hub") return a.sessions === b.sessions;
  return a.kind === b.kind;
}

/** Names that only the hub gives: tabs, launched browsers, and agents that are followed through their files. */
const FOLLOWED = /^debug_\d{8}_\d{6}_[\w-]+$/;
const RESERVED = /^(tab-\d+$|browser-[0-9a-f]+$|agent:)/;

/** Whether apps on sockets may not choose this id. */
export function isReserved(sessionId: string): boolean {
  return RESERVED.test(sessionId) || FOLLOWED.test(sessionId);
}

/** The id under which an agent that is followed through its files is a session; it cannot be that of an app. */
export function followedSessionId(id: string): string {
  return FOLLOWED.test(id) ? id : `agent:${id}`;
}

function describeOwner(owner: Owner): string {
  switch (owner.kind) {
    case "origin":
      return `pages of ${owner.origin}`;
    case "program":
      return "a program without an Origin";
    case "console":
      return "a program on the console wire";
    case "files":
      return "an agent that the hub follows";
    case "hub":
      return `the hub itself (${owner.sessions})`;
  }
}

export function ownerConflict(sessionId: string, owner: Owner, other: Owner): BridgeError {
  return new BridgeError(
    "forbidden_origin",
    `session "${sessionId}" belongs to ${describeOwner(owner)}, so ${describeOwner(other)} cannot join it; choose another sessionId, or wait until its app has been gone for a few minutes`,
    { field: "sessionId" },
  );
}

export function reservedName(sessionId: string): BridgeError {
  return new BridgeError(
    "forbidden_origin",
    `session names like "${sessionId}" are for tabs, browsers and agents of the hub; choose another sessionId for the app`,
    { field: "sessionId" },
  );
}
