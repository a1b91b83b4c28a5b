import type { SessionSummary, TimelineRow } from "@debug-bridge/protocol";
import { timeAgo } from "@debug-bridge/ui/text/time.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { CircleAlert, CircleCheck } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";
import { formatRoute, type Navigate } from "../layout/route.js";
import { accessText, sessionName } from "../session/session-name.js";
import { KeptThumbnail, LiveThumbnail } from "./thumbnail.js";

interface Props {
  readonly client: DashboardApi;
  readonly session: SessionSummary;
  /** The hub that it is on, if there are several. */
  readonly hubName: string | undefined;
  readonly navigate: Navigate;
}

/** The address of an agent that does not report its working folder. */
const NO_ADDRESS = "file:///";

/** One session: what it is, how it is doing, and what happened last. */
export function SessionCard({ client, session, hubName, navigate }: Props): ReactNode {
  const facts = useFacts(client, session);
  const { id, kind, url, access, leaseOwner, agents, connected, lastEventAt, sequence } = session;
  const route = { timeline: { kind: "session", id }, text: "" } as const;
  return (
    <li className="card">
      {connected && kind === "browser" && <LiveThumbnail {...{ client, session: id, ticks: sequence }} />}
      {connected && kind === "tab" && <KeptThumbnail {...{ client, session: id, ticks: sequence }} />}
      <a
        href={formatRoute(route)}
        onClick={(event) => {
          event.preventDefault();
          navigate(route);
        }}
      >
        <strong dir="auto">{visibleText(sessionName(session))}</strong>
      </a>
      <span className="tags">
        <span className="tag">{kind}</span>
        {!connected && <span className="tag ended">ended</span>}
        {hubName !== undefined && <span className="tag">on {visibleText(hubName)}</span>}
        {session.active && <span className="tag">in front</span>}
        {access && <span className="tag">{accessText(access)}</span>}
        {leaseOwner !== undefined && <span className="tag agent">held by {visibleText(leaseOwner)}</span>}
        {agents > 0 && (
          <span className="tag agent">
            {agents} {agents === 1 ? "agent" : "agents"}
          </span>
        )}
      </span>
      <span className="quiet address" title={url === undefined ? undefined : visibleText(url)}>
        {visibleText(url === undefined || url === NO_ADDRESS ? id : url)}
      </span>
      <span className="card-facts">
        {facts && (
          <span className={facts.errors > 0 ? "error" : "quiet"}>
            {facts.errors > 0 ? <CircleAlert aria-hidden /> : <CircleCheck aria-hidden />}
            {facts.errors === 0 ? "no errors" : `${facts.errors} ${facts.errors === 1 ? "error" : "errors"}`}
          </span>
        )}
        <span className="quiet">{lastEventAt === undefined ? "nothing yet" : agoText(lastEventAt)}</span>
      </span>
      <span className="quiet last" dir="auto">
        {facts?.last ? visibleText(facts.last.text) : ""}
      </span>
    </li>
  );
}

function agoText(time: string): string {
  const text = timeAgo(time);
  return text === "now" ? "now" : `${text} ago`;
}

interface CardFacts {
  readonly errors: number;
  readonly last: TimelineRow | undefined;
}

/** Errors that the hub still knows of, and the newest record that says something. Read again when there are new records. */
function useFacts(client: DashboardApi, { id, sequence }: SessionSummary): CardFacts | undefined {
  const [facts, setFacts] = useState<CardFacts>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another sequence means that there are new records
  useEffect(() => {
    const controller = new AbortController();
    const read = async (query: Record<string, string>) =>
      client.timeline(
        { kind: "session", id },
        new URLSearchParams({ limit: "1", ...query }),
        controller.signal,
      );
    Promise.all([
      read({ level: "error" }),
      read({ kinds: "action,error,network,console,page,agent", level: "info" }),
    ]).then(
      ([errors, newest]) => setFacts({ errors: errors.total, last: newest.rows.at(-1) }),
      () => {},
    );
    return () => controller.abort();
  }, [client, id, sequence]);
  return facts;
}
