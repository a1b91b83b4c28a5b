import { until } from "../../fixtures.js";
import type { AgentEvent } from "../agents/agents.js";
import type { TestHub } from "./hub.js";

export interface Summary {
  readonly id: string;
  readonly kind: string;
  readonly connected: boolean;
  readonly sequence: number;
}

/** The sessions that a hub lists. */
export const sessions = async (hub: TestHub): Promise<Summary[]> =>
  ((await (await hub.api("/v1/sessions")).json()) as { sessions: Summary[] }).sessions;
/** A session, once the hub lists it. */
export const listed = (hub: TestHub, id: string): Promise<Summary> =>
  until(async () => (await sessions(hub)).find((session) => session.id === id));
/** The events of a session that the hub has. */
export const timeline = async (hub: TestHub, id: string, since = 0): Promise<AgentEvent[]> =>
  ((await (await hub.api(`/v1/sessions/${id}/events?since=${since}`)).json()) as { events: AgentEvent[] })
    .events;
