import { BridgeError } from "@debug-bridge/protocol";
import { check, idField } from "@debug-bridge/protocol/schemas";
import type { Role } from "../security/gate.js";

/** What an upgrade request asks for. */
export interface AppWireTarget {
  readonly role: Role;
  readonly sessionId: string;
  readonly name: string | undefined;
  readonly records: boolean;
  readonly deltas: boolean;
  /** Only answers to its own commands, no telemetry. */
  readonly quiet: boolean;
  /** Whether it is notified when the list of sessions changes. */
  readonly sessions: boolean;
  readonly since: number | undefined;
}

export function readTarget(url: URL): AppWireTarget {
  const role = url.searchParams.get("role") || "app";
  if (role !== "app" && role !== "agent") {
    throw new BridgeError(
      "invalid_message",
      `role is ${JSON.stringify(role)}; connect with role=app or role=agent`,
      { field: "role" },
    );
  }
  const sessionId = checkedId(url.searchParams.get("sessionId") || "default");
  const since = url.searchParams.get("since");
  if (since !== null && !/^\d{1,15}$/.test(since)) {
    throw new BridgeError(
      "invalid_message",
      `since is ${JSON.stringify(since)}; it is the sequence number of a record`,
      { field: "since" },
    );
  }
  return {
    role,
    sessionId,
    name: url.searchParams.get("name")?.slice(0, 100) || undefined,
    records: since !== null || url.searchParams.has("records"),
    deltas: url.searchParams.has("deltas"),
    quiet: url.searchParams.has("quiet"),
    sessions: url.searchParams.has("sessions"),
    since: since === null ? undefined : Number(since),
  };
}

/** The id of a session, if it can be one. */
export function checkedId(sessionId: string): string {
  const checked = check(idField, sessionId);
  if (checked.ok) return checked.value;
  throw new BridgeError("invalid_message", `sessionId ${checked.error.message}`, { field: "sessionId" });
}
