import {
  BridgeError,
  RECORD_KINDS,
  RECORD_LEVELS,
  type SourceLocation,
  type WhyAnswer,
} from "@debug-bridge/protocol";
import { type AgentCalls, explain, readEntry, type TimelineSource } from "@debug-bridge/protocol/timeline";
import { Hono } from "hono";
import type { Sessions } from "../../sessions/registry.js";
import type { Session } from "../../sessions/session.js";
import type { ReadTimeline, TimelineReaders } from "../../timeline/readers.js";
import type { ChainState, KeptChains } from "../../why/kept-chains.js";
import { wholeNumber } from "../query.js";
import type { ReadSource } from "./source.js";

/** How long one request looks at records. */
const WORK_MS = 500;
/** Tool calls of one agent that are looked at. */
const MAX_CALLS = 500;
const ERROR = RECORD_LEVELS.indexOf("error");
/** What can be asked about without naming it: what failed last. */
const FAILURES = new Set(
  (["error", "console", "network"] as const).map((kind) => RECORD_KINDS.indexOf(kind)),
);
const NOT_KEPT = "no chain was kept when this was recorded";

export interface WhyPort {
  readonly sessions: Sessions;
  readonly timelines: TimelineReaders;
  readonly readSource: ReadSource | undefined;
  readonly chains: KeptChains;
}

/** `/v1/sessions/:id/why?record=` and the same for recordings: why a record came about; the newest failure if none is named. */
export function whyRoutes({ sessions, timelines, readSource, chains }: WhyPort): Hono {
  const api = new Hono();
  const agents = (): AgentCalls[] => sessions.all().flatMap((session) => callsOf(session, timelines));

  api.get("/sessions/:id/why", async (c) => {
    const id = c.req.param("id");
    const timeline = timelines.ofSession(id);
    const session = sessions.get(id) as Session;
    const state = await chains.ask(session);
    const { origin } = session.summary();
    const locate = locator(readSource, origin);
    const position = await positionOf(timeline, c.req.query("record"), state);
    return c.json(withAdvice(await explain(timeline.paged.source, position, { locate, agents }), state));
  });
  api.get("/recordings/:id/why", async (c) => {
    const timeline = timelines.ofRecording(c.req.param("id"));
    const position = await positionOf(timeline, c.req.query("record"));
    return c.json(await explain(timeline.paged.source, position, { agents }));
  });
  return api;
}

async function positionOf(
  { paged }: ReadTimeline,
  text: string | undefined,
  state?: ChainState,
): Promise<number> {
  const { source } = paged;
  await source.extend(WORK_MS);
  if (text === undefined) return newestFailure(source, state);
  const sequence = wholeNumber(text, "record", 0);
  const position = source.columns.positionOf(sequence);
  if (position !== -1 && source.read(position) !== undefined) return position;
  throw new BridgeError(
    "target_not_found",
    `record ${sequence} is not stored; logs lists the records with their numbers`,
  );
}

function newestFailure({ columns }: TimelineSource, state?: ChainState): number {
  for (let at = columns.length - 1; at >= 0; at--)
    if (columns.levels[at] === ERROR && FAILURES.has(columns.kinds[at] as number)) return at;
  const kept = state?.since === undefined ? "" : " Chains are kept from now on.";
  throw new BridgeError(
    "target_not_found",
    `nothing failed so far, so name the record to explain: logs lists them with their numbers.${kept}`,
  );
}

/** Who asks for a record without a chain has to know how to get one. */
function withAdvice(answer: WhyAnswer, { since, refused }: ChainState): WhyAnswer {
  if (answer.unknown !== NOT_KEPT) return answer;
  const advice =
    since === undefined
      ? `chains cannot be kept now: ${refused ?? "the page keeps none"}`
      : "it is kept from now on, so do it again and ask again";
  return { ...answer, unknown: `${NOT_KEPT}; ${advice}` };
}

/** Where code was written, for places on the origin that the session is pinned to. */
function locator(
  read: ReadSource | undefined,
  origin: string | undefined,
): (place: SourceLocation) => Promise<SourceLocation | undefined> {
  return async (place) => {
    const found = origin === undefined ? undefined : await read?.(place, origin).catch(() => undefined);
    return found && !found.isServed
      ? { ...place, url: found.url, line: found.line, column: found.column }
      : undefined;
  };
}

/** The newest tool calls of an agent. */
function callsOf(session: Session, timelines: TimelineReaders): AgentCalls[] {
  if (session.kind !== "agent") return [];
  const { source } = timelines.ofSession(session.id).paged;
  void source.extend(WORK_MS);
  const { columns } = source;
  const calls = [];
  const agent = RECORD_KINDS.indexOf("agent");
  for (let at = Math.max(0, columns.length - MAX_CALLS); at < columns.length; at++) {
    const entry = columns.kinds[at] === agent ? readEntry(source, at) : undefined;
    if (entry?.type === "tool_call_start") calls.push(entry);
  }
  return [{ sessionId: session.id, calls }];
}
