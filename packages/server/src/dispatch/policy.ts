import {
  ACTING_COMMANDS,
  type AccessClass,
  BridgeError,
  refusalMessage,
  runOfClient,
  type TabAccess,
} from "@debug-bridge/protocol";
import { steadyNow } from "../bounds/steady-clock.js";
import type { Lease } from "./lease.js";
import { originAt } from "./site.js";

/** Who wants to do what. */
export interface PolicyRequest {
  readonly client: string;
  readonly kind: AccessClass;
  /** A command of the app wire, a command for an agent, or a CDP method. */
  readonly method: string;
  /** None for what concerns the whole browser. */
  readonly session?: PolicySession | undefined;
  /** What it would do on the site, in plain words. Without it, the site is not concerned. */
  readonly action?: string | undefined;
  /** The address that it would go to. */
  readonly to?: string | undefined;
}

/** A site that an agent of a chat wants to act on. */
export interface Site {
  readonly origin: string;
  readonly sessionId: string;
  readonly action: string;
}

/** Where the person lets the agents of chats act. */
export interface ApprovalPort {
  /** Why a run may not act on a site now; undefined when it may. */
  refusal(runId: string, site: Site): BridgeError | undefined;
  /** Asks the person; settles when that is decided. Undefined when it was decided before. */
  ask(runId: string, site: Site): Promise<void> | undefined;
}

/** What the policy has to know about a session. */
export interface PolicySession {
  readonly lease: Lease;
  readonly id?: string | undefined;
  /** The site whose page it has. */
  readonly origin?: string | undefined;
  /** Whether the app allows evaluation; `undefined` when that is not known. */
  readonly allowsEval?: boolean | undefined;
  /** What the person lets agents do in this tab. */
  readonly access?: TabAccess | undefined;
  /** Why agents can no longer use it, when the person decided that. */
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
  approvals?(): ApprovalPort | undefined;
  now?(): number;
}

/** The end of the names of clients that came through another hub, which lets them look only. */
export const READ_ONLY_SUFFIX = "@read-only";

const ACTING: ReadonlySet<string> = new Set(ACTING_COMMANDS);

/** The class of a command of the app wire. */
export function classOfCommand(type: string): AccessClass {
  return ACTING.has(type) ? "act" : "look";
}

/**
 * Decides whether a client may do something. Every command of every wire asks here: the lease of the session,
 * `--read-only`, the person's settings, the app's settings, and on which sites agents of chats may act. What a single CDP command may
 * do in a tab that is locked to a site is in the table of `protocol/src/cdp`.
 */
export class Policy {
  constructor(private readonly options: PolicyOptions) {}

  /** Who lets clients look and not act: the options of the hub, or the person in the popup for tabs of the browser. */
  readOnlyBy(session: PolicySession | undefined): "hub" | "person" | undefined {
    if (this.options.readOnly) return "hub";
    return this.accessOf(session)?.level === "read-only" ? "person" : undefined;
  }

  private accessOf(session: PolicySession | undefined): TabAccess | undefined {
    return session === undefined ? this.options.person?.()?.access : session.access;
  }

  /** Why a request is refused; `undefined` when it is allowed. */
  decide(request: PolicyRequest): BridgeError | undefined {
    const refusal = this.decideByRules(request);
    if (refusal || request.kind === "look") return refusal;
    const asked = siteOf(request);
    return asked && this.options.approvals?.()?.refusal(asked.runId, asked.site);
  }

  /** Asks the person, if that is all that is missing; settles when it is decided. */
  ask(request: PolicyRequest): Promise<void> | undefined {
    const asked = siteOf(request);
    if (!asked || request.kind === "look" || this.decideByRules(request)) return undefined;
    return this.options.approvals?.()?.ask(asked.runId, asked.site);
  }

  private decideByRules({ client, kind, method, session }: PolicyRequest): BridgeError | undefined {
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
    if (client.endsWith(READ_ONLY_SUFFIX))
      return new BridgeError(
        "read_only",
        `the hub that this client is connected to was started with --read-only, and ${method} acts; use commands that only look, or connect to another hub`,
      );
    const held = session?.lease.refusal(client, this.options.now?.() ?? steadyNow());
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

/** The run of a chat for which a client works, and the site that it would act on. */
function siteOf({ client, action, to, session }: PolicyRequest): { runId: string; site: Site } | undefined {
  const runId = action === undefined ? undefined : runOfClient(client);
  if (action === undefined || runId === undefined) return undefined;
  const there = to === undefined ? undefined : originAt(to, session?.origin);
  // A session without an origin counts as its own site.
  const origin = there ?? session?.origin ?? session?.id;
  return origin === undefined
    ? undefined
    : { runId, site: { origin, sessionId: session?.id ?? "browser", action } };
}
