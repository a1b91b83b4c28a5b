import { type ChatProvider, frontSession } from "@debug-bridge/protocol";
import type { AuditLog } from "../../audit.js";
import { Lease } from "../../dispatch/lease.js";
import type { Policy } from "../../dispatch/policy.js";
import type { ChatPort } from "../../http/hub/chats.js";
import type { Sessions } from "../../sessions/registry.js";
import { Approvals } from "../approvals/approvals.js";
import { SavedApprovals } from "../approvals/saved-approvals.js";
import { ChatFeed } from "../chat-feed.js";
import { ChatRuns } from "../runs/chat-runs.js";
import { RunBreakpoints } from "../runs/run-breakpoints.js";
import { ChatStore } from "./chat-store.js";

export interface OpenChatsOptions {
  readonly home: string;
  readonly url: string;
  readonly sessions: Sessions;
  readonly policy: Policy;
  readonly audit: AuditLog;
  readonly providers: readonly ChatProvider[];
}

/** The chats of a hub. Runs that an earlier hub left are marked as interrupted. */
export function openChats({ home, url, sessions, policy, audit, providers }: OpenChatsOptions): ChatPort {
  const store = new ChatStore(home);
  const feed = new ChatFeed(store);
  const approvals = new Approvals(new SavedApprovals(home));
  const runs = new ChatRuns({
    ...{ store, providers, approvals, hubUrl: () => url },
    breakpoints: new RunBreakpoints(sessions),
    frontSession: () => frontSession(sessions.all().map((session) => session.summary()))?.id,
    onChanged: (id) => feed.refresh(id),
  });
  void runs.recoverAll();
  return {
    ...{ store, runs, feed, approvals, providers },
    // What the person lets agents do in tabs does not concern the run, only what its tools do there.
    assertMayRun: (client) =>
      policy.assert({ client, kind: "act", method: "a chat run", session: { lease: new Lease() } }),
    onAudit: (who, what, session) => audit.write({ who, what, session, outcome: "done" }),
  };
}
