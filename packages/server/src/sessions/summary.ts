import type { AppMessage, SessionKind, SessionSummary, TabAccess } from "@debug-bridge/protocol";
import type { CommandDispatcher } from "../dispatch/command-dispatcher.js";
import { isoTime, type Timeline } from "../timeline/timeline.js";

/** The parts of a session that its summary shows. */
export interface SummaryParts {
  readonly id: string;
  readonly kind: SessionKind;
  readonly connected: boolean;
  readonly apps: number;
  readonly agents: number;
  readonly active: boolean;
  /** What the person lets agents do in it, if it is a tab. */
  readonly access: TabAccess | undefined;
  readonly origin: string | undefined;
  readonly hello: Extract<AppMessage, { type: "hello" }> | undefined;
  readonly timeline: Timeline;
  readonly dispatcher: CommandDispatcher;
}

/** What the HTTP API returns about a session. */
export function summaryOf(session: SummaryParts, now: number): SessionSummary {
  const { id, kind, connected, apps, agents, hello, origin, timeline, dispatcher } = session;
  const lease = dispatcher.lease.current(now);
  const { lastUsedAt } = dispatcher;
  const { newestAt } = timeline;
  return {
    ...{ id, kind, connected, apps, agents },
    sequence: timeline.sequence,
    ...(newestAt === undefined ? {} : { lastEventAt: isoTime(newestAt) }),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt: isoTime(lastUsedAt) }),
    ...(session.active ? { active: true } : {}),
    ...(session.access ? { access: session.access } : {}),
    ...(hello?.appName ? { appName: hello.appName } : {}),
    ...(hello?.appVersion ? { appVersion: hello.appVersion } : {}),
    ...(hello ? { url: hello.url } : {}),
    ...(hello?.title ? { title: hello.title } : {}),
    ...(origin === undefined ? {} : { origin }),
    ...(lease ? { leaseOwner: lease.owner } : {}),
  };
}
