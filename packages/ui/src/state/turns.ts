import type { ChatImage, ChatUsage, RunEvent } from "@debug-bridge/protocol";
import { visibleText } from "../text/visible-text.js";

type Payload<Name extends RunEvent["event"]> = Extract<RunEvent, { event: Name }>["payload"];
export type RunStep = Payload<"run.step">;
export type RunApproval = Payload<"run.approval">;
type MessageElement = NonNullable<Payload<"run.started">["element"]>;

export type TurnPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "approval"; readonly approval: RunApproval }
  | { readonly kind: "step"; readonly step: RunStep };

/** One message of the person and what the agent did and said. All texts are safe to show. */
export interface Turn {
  readonly runId: string;
  readonly provider: string;
  readonly startedAt: string;
  /** Left out when the beginning of the run is not loaded. */
  readonly message?: string;
  /** The pictures that the person sent with the message. */
  readonly images?: readonly ChatImage[];
  /** The element that the person picked in the page. */
  readonly element?: MessageElement;
  /** The session that the agent's tools work in. */
  readonly session?: string;
  readonly parts: readonly TurnPart[];
  readonly errors: readonly string[];
  readonly ended?: "done" | "failed" | "person" | "interrupted";
}

/** What is known of a conversation: a window of its events that reaches to the newest. */
export interface Conversation {
  readonly turns: readonly Turn[];
  /** Sequence of the newest event; 0 when there is none. */
  readonly last: number;
  readonly usage?: ChatUsage;
  /** The events of the first turn while its beginning is not loaded: it is made again when more of it is. */
  readonly cut: readonly RunEvent[];
}

export const EMPTY_CONVERSATION: Conversation = { turns: [], last: 0, cut: [] };

/** Adds events after the newest. What is known already, or does not continue, is left out. */
export function append(conversation: Conversation, added: readonly RunEvent[]): Conversation {
  let { last } = conversation;
  const fresh = added.filter((event) => {
    if (event.sequence <= last) return false;
    last = event.sequence;
    return true;
  });
  if (fresh.length === 0) return conversation;
  const turns = [...conversation.turns];
  let { usage } = conversation;
  for (const event of fresh) {
    addTo(turns, event);
    if (event.event === "run.usage") usage = event.payload.usage;
  }
  const cut = [...conversation.cut, ...(turns[0]?.message === undefined ? ofRun(fresh, turns[0]) : [])];
  return { turns, last, cut, ...(usage ? { usage } : {}) };
}

/** Adds events before the oldest. Costs what the added events cost, however much is known already. */
export function prepend(conversation: Conversation, older: readonly RunEvent[]): Conversation {
  const [first, ...rest] = conversation.turns;
  const before = append(EMPTY_CONVERSATION, older);
  if (!first) return before;
  const known = { last: conversation.last, ...(conversation.usage ? { usage: conversation.usage } : {}) };
  if (before.turns.at(-1)?.runId !== first.runId)
    return { ...before, ...known, turns: [...before.turns, first, ...rest] };
  // The run was cut between the two parts.
  const whole = append(before, conversation.cut);
  return { ...whole, ...known, turns: [...whole.turns, ...rest] };
}

const ofRun = (events: readonly RunEvent[], turn: Turn | undefined): readonly RunEvent[] =>
  events.filter(({ runId }) => runId === turn?.runId);

function addTo(turns: Turn[], event: RunEvent): void {
  const { runId, timestamp: startedAt } = event;
  if (event.event === "run.started") {
    const { message, provider, context, images, element } = event.payload;
    turns.push({
      ...{ runId, provider, startedAt, message: visibleText(message), parts: [], errors: [] },
      ...(context?.session === undefined ? {} : { session: context.session }),
      ...(images === undefined ? {} : { images }),
      ...(element === undefined ? {} : { element: safeElement(element) }),
    });
    return;
  }
  const known = turns.at(-1);
  const turn = known?.runId === runId ? known : { runId, provider: "", startedAt, parts: [], errors: [] };
  const next = withEvent(turn, event);
  if (turn === known) turns[turns.length - 1] = next;
  else turns.push(next);
}

function withEvent(turn: Turn, event: RunEvent): Turn {
  switch (event.event) {
    case "run.delta":
      return { ...turn, parts: withText(turn.parts, visibleText(event.payload.text)) };
    case "run.step":
      return { ...turn, parts: withStep(turn.parts, safeStep(event.payload)) };
    case "run.approval":
      return { ...turn, parts: withApproval(turn.parts, safeApproval(event.payload)) };
    case "run.error":
      return { ...turn, errors: [...turn.errors, visibleText(event.payload.message)] };
    case "run.finished":
      return { ...turn, ended: event.payload.outcome };
    case "run.stopped":
      return { ...turn, ended: event.payload.reason };
    default:
      return turn;
  }
}

function withText(parts: readonly TurnPart[], text: string): readonly TurnPart[] {
  const last = parts.at(-1);
  if (last?.kind !== "text") return [...parts, { kind: "text", text }];
  return [...parts.slice(0, -1), { kind: "text", text: last.text + text }];
}

/** A step with a known id replaces the earlier one, where that was. */
function withStep(parts: readonly TurnPart[], step: RunStep): readonly TurnPart[] {
  const at = parts.findIndex((part) => part.kind === "step" && part.step.id === step.id);
  return at === -1 ? [...parts, { kind: "step", step }] : parts.with(at, { kind: "step", step });
}

/** The answer to a question takes its place. */
function withApproval(parts: readonly TurnPart[], approval: RunApproval): readonly TurnPart[] {
  const at = parts.findIndex((part) => part.kind === "approval" && part.approval.id === approval.id);
  return at === -1
    ? [...parts, { kind: "approval", approval }]
    : parts.with(at, { kind: "approval", approval });
}

function safeApproval(approval: RunApproval): RunApproval {
  return { ...approval, origin: visibleText(approval.origin), action: visibleText(approval.action) };
}

function safeElement({ ref, name, source }: MessageElement): MessageElement {
  return { ref, name: visibleText(name), ...(source === undefined ? {} : { source: visibleText(source) }) };
}

function safeStep(step: RunStep): RunStep {
  const { detail } = step;
  return {
    ...step,
    title: visibleText(step.title),
    ...(detail === undefined ? {} : { detail: visibleText(detail) }),
  };
}

/** The run that goes on, if the newest turn has no end. */
export function runningTurn({ turns }: Conversation): Turn | undefined {
  const last = turns.at(-1);
  return last && last.ended === undefined ? last : undefined;
}

/** The session in which the agent of a turn is debugged. */
export function agentSessionOf(turn: Turn): string | undefined {
  for (const part of turn.parts)
    if (part.kind === "step" && part.step.kind === "agent") return part.step.detail;
  return undefined;
}

/** What the agent of a turn waits for the person to allow. */
export function waitingApproval(turn: Turn): RunApproval | undefined {
  const part = turn.parts.findLast((each) => each.kind === "approval" && each.approval.status === "waiting");
  return part?.kind === "approval" ? part.approval : undefined;
}
