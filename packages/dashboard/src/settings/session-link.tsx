import type { SessionSummary } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import { formatRoute, type Navigate } from "../layout/route.js";
import { sessionName } from "../session/session-name.js";

interface Props {
  readonly session: SessionSummary;
  readonly navigate: Navigate;
}

/** The name of a session, which leads to its timeline. */
export function SessionLink({ session, navigate }: Props): ReactNode {
  const route = { timeline: { kind: "session", id: session.id }, text: "" } as const;
  return (
    <a
      href={formatRoute(route)}
      onClick={(event) => {
        event.preventDefault();
        navigate(route);
      }}
    >
      {visibleText(sessionName(session))}
    </a>
  );
}
