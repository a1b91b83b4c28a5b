import { BridgeError } from "@debug-bridge/protocol";
import type { OwnRuns } from "../../bus/remote/approvals.js";
import type { ApprovalPort, Site } from "../../dispatch/policy.js";

/** How long an answer of another hub holds: the run may end there, or the person may decide otherwise. */
const HOLDS_MS = 5_000;
const MAX_KEPT = 1_000;

type Decision = "allowed" | "refused" | "none";

interface Kept {
  readonly decision: Decision;
  readonly until: number;
}

/** Approvals for the runs of all hubs: what another hub's person decides is asked there. */
export class SharedApprovals implements ApprovalPort {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly own: OwnRuns,
    private readonly askOthers: (runId: string, site: Site) => Promise<Decision>,
  ) {}

  refusal(runId: string, site: Site): BridgeError | undefined {
    if (this.own.has(runId)) return this.own.refusal(runId, site);
    const decision = this.keptOf(runId, site)?.decision;
    if (decision === "none") return this.own.refusal(runId, site);
    if (decision === "allowed") return undefined;
    if (decision === undefined)
      return new BridgeError(
        "grant_needed",
        `the person is asked whether the agent may act on ${site.origin} (${site.action}); wait a little, and try again`,
      );
    return new BridgeError(
      "grant_needed",
      `the person does not let the agent act on ${site.origin} in this run (${site.action}); do not retry: look only, or tell the person what you would do`,
    );
  }

  ask(runId: string, site: Site): Promise<void> | undefined {
    if (this.own.has(runId)) return this.own.ask(runId, site);
    if (this.keptOf(runId, site)) return undefined;
    return this.askOthers(runId, site).then((decision) => {
      if (this.kept.size >= MAX_KEPT) this.kept.clear();
      this.kept.set(keyOf(runId, site), { decision, until: Date.now() + HOLDS_MS });
    });
  }

  private keptOf(runId: string, site: Site): Kept | undefined {
    const kept = this.kept.get(keyOf(runId, site));
    return kept && kept.until > Date.now() ? kept : undefined;
  }
}

const keyOf = (runId: string, { origin }: Site): string => `${runId} ${origin}`;
