import {
  ACTING_COMMANDS,
  type AccessClass,
  BridgeError,
  refusalMessage,
  type TabAccess,
} from "@debug-bridge/protocol";
import type { Lease } from "./lease.js";

/** Who wants to do what. */
export interface PolicyRequest {
  readonly client: string;
  readonly kind: AccessClass;
  /** A command of the app wire, a command for an agent, or a CDP method. */
  readonly method: string;
  /** None for what concerns the whole browser. */
  readonly session?: PolicySession | undefined;
}

/** What the policy has to know about a session. */
export interface PolicySession {
  readonly lease: Lease;
  /** Whether the app allows evaluation; `undefined` when that is not known. */
  readonly allowsEval?: boolean | undefined;
  /** What the person lets agents do in this tab. */
  readonly access?: TabAccess | undefined;
  /** Why agents cannot use it any more, when the person decided that. */
  readonly lossText?: string | undefined;
}

/** The person's settings in the extension's popup, as the extension reports them. */
export interface PersonSettings {
  readonly share: "chosen" | "all";
  /** The access of what concerns no shared tab. */
  readonly access: TabAccess;
}

export interface PolicyOptions {
  /** `--read-only`. */
  readonly readOnly: boolean;
  person?(): PersonSettings | undefined;
  now?(): number;
}

const ACTING: ReadonlySet<string> = new Set(ACTING_COMMANDS);

/** The class of a command of the app wire. */
export function classOfCommand(type: string): AccessClass {
  return ACTING.has(type) ? "act" : "look";
}

/**
 * Decides whether a client may do something. Every command of every wire asks here, and nowhere else: the lease of the
 * session, `--read-only`, the person's settings and the app's settings.
 */
export class Policy {
  constructor(private readonly options: PolicyOptions) {}

  /** Who lets clients look and not act: whoever started the hub, or the person in the popup for tabs of the browser. */
  readOnlyBy(session: PolicySession | undefined): "hub" | "person" | undefined {
    if (this.options.readOnly) return "hub";
    return this.accessOf(session)?.level === "read-only" ? "person" : undefined;
  }

  private accessOf(session: PolicySession | undefined): TabAccess | undefined {
    return session === undefined ? this.options.person?.()?.access : session.access;
  }

  /** Why a request is refused; `undefined` when it is allowed. */
  decide({ client, kind, method, session }: PolicyRequest): BridgeError | undefined {
    if (kind === "look") return undefined;
    if (kind === "never")
      return new BridgeError(
        "not_supported",
        `${method} reaches beyond the tabs of this browser, which belongs to a person; it is refused for every client`,
      );
    if (this.options.readOnly)
      return new BridgeError(
        "read_only",
        `the hub was started with --read-only, and ${method} acts; use commands that only look, or start the hub without --read-only`,
      );
    const held = session?.lease.refusal(client, this.options.now?.() ?? Date.now());
    if (held) return held;
    if (this.accessOf(session)?.level === "read-only")
      return new BridgeError("read_only", refusalMessage({ allowed: false, reason: "read_only" }, method));
    if (method === "evaluate" && session?.allowsEval === false)
      return new BridgeError(
        "eval_disabled",
        "the app does not allow evaluation; it must set enableEval: true",
      );
    return undefined;
  }

  /** Throws the refusal, if there is one. */
  assert(request: PolicyRequest): void {
    const refusal = this.decide(request);
    if (refusal) throw refusal;
  }
}
