import { maskUrl } from "@debug-bridge/driver";
import { type BridgeError, runOfClient } from "@debug-bridge/protocol";
import { type AuditRecord, isRefusal } from "../audit.js";
import type { CdpCommand, CommandPort } from "../relay/clients/command-gate.js";
import type { CdpFailure } from "../relay/wire/messages.js";
import type { Sessions } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import { cdpActionText } from "./action-text.js";
import { Lease } from "./lease.js";
import type { Policy, PolicyRequest } from "./policy.js";

/** The session of a tab of the person's browser. */
export function tabSessionId(tabId: number): string {
  return `tab-${tabId}`;
}

/** Commands of CDP clients, which pass the same policy, timeline and audit log as those of the app wire. */
export class CdpCommands implements CommandPort {
  private nextId = 1;

  constructor(
    private readonly sessions: Sessions,
    private readonly policy: Policy,
    private readonly audit: (record: AuditRecord) => void,
  ) {}

  readOnlyBy(tabId: number | undefined): "hub" | "person" | undefined {
    return this.policy.readOnlyBy(this.sessionOf(tabId)?.dispatcher.policySession());
  }

  decide(command: CdpCommand): BridgeError | undefined {
    return this.policy.decide(this.requestOf(command));
  }

  ask(command: CdpCommand): void {
    void this.policy.ask(this.requestOf(command));
  }

  begin({ client, method, params, tabId }: CdpCommand): (error?: CdpFailure) => void {
    const session = this.sessionOf(tabId);
    const requestId = `cdp-${this.nextId++}`;
    const url = typeof params.url === "string" ? maskUrl(params.url.slice(0, 500)) : undefined;
    const running = session?.dispatcher.begin(
      JSON.stringify({ type: method, requestId, client, ...visibleParams(params, url) }),
      true,
    );
    return (error) => {
      const outcome = error === undefined ? "done" : codeOf(error);
      const failed = error && { error: outcome, message: error.message };
      const result = { type: "command_result", requestType: method, requestId, success: !error, ...failed };
      running?.end(JSON.stringify(result));
      this.audit({
        who: client,
        what: method,
        ...(session ? { session: session.id } : {}),
        ...(url === undefined ? {} : { target: url }),
        outcome,
      });
    };
  }

  auditRefusal(client: string, method: string, error: CdpFailure): void {
    if (isRefusal(error.data)) this.audit({ who: client, what: method, outcome: codeOf(error) });
  }

  private requestOf({ client, kind, method, params, tabId }: CdpCommand): PolicyRequest {
    const session = this.sessionOf(tabId)?.dispatcher.policySession();
    if (runOfClient(client) === undefined) return { client, kind, method, session };
    const to = typeof params.url === "string" ? params.url : undefined;
    // A tab of which nothing is known yet is a separate site.
    const unknown = tabId === undefined ? undefined : { lease: new Lease(), id: tabSessionId(tabId) };
    return { client, kind, method, session: session ?? unknown, action: cdpActionText(method, to), to };
  }

  private sessionOf(tabId: number | undefined): Session | undefined {
    return tabId === undefined ? undefined : this.sessions.get(tabSessionId(tabId));
  }
}

/** What the timeline keeps of the parameters: where, and never what was typed. */
function visibleParams({ type, x, y }: CdpCommand["params"], url: string | undefined): object {
  return {
    ...(url === undefined ? {} : { url }),
    ...(typeof x === "number" && typeof y === "number" ? { event: type, x, y } : {}),
  };
}

function codeOf({ data }: CdpFailure): string {
  return typeof data === "string" && data.length <= 100 ? data : "failed";
}
