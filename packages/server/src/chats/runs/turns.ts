import { CHAT_LIMITS, type RunEvent, truncate } from "@debug-bridge/protocol";
import { messageText } from "./message-text.js";

type Payload<Name extends RunEvent["event"]> = Extract<RunEvent, { event: Name }>["payload"];

/** One message of the person and what the agent did and said. */
export interface Turn {
  readonly runId: string;
  readonly provider: string;
  readonly startedAt: string;
  readonly message: string;
  /** The agent's texts and its steps, in their order. */
  readonly parts: ({ text: string } | { step: Payload<"run.step"> })[];
  readonly errors: string[];
  ended: "done" | "failed" | "person" | "interrupted" | undefined;
}

/** Groups events into turns. Pieces of text are joined, and a step is shown once, as it was last. */
export function turnsOf(events: Iterable<RunEvent>, textOf = messageText): Turn[] {
  const turns: Turn[] = [];
  for (const each of events) {
    if (each.event === "run.started") {
      const { provider } = each.payload;
      const message = textOf(each.payload);
      const { runId, timestamp: startedAt } = each;
      turns.push({ runId, provider, startedAt, message, parts: [], errors: [], ended: undefined });
      continue;
    }
    const turn = turns.at(-1);
    if (turn?.runId === each.runId) add(turn, each);
  }
  return turns;
}

function add(turn: Turn, each: RunEvent): void {
  switch (each.event) {
    case "run.delta": {
      const last = turn.parts.at(-1);
      if (last && "text" in last) last.text += each.payload.text;
      else turn.parts.push({ text: each.payload.text });
      return;
    }
    case "run.step":
      addStep(turn, each.payload);
      return;
    case "run.approval":
      addStep(turn, approvalStep(each.payload));
      return;
    case "run.error":
      turn.errors.push(each.payload.message);
      return;
    case "run.finished":
      turn.ended = each.payload.outcome;
      return;
    case "run.stopped":
      turn.ended = each.payload.reason;
      return;
    default:
  }
}

function addStep(turn: Turn, step: Payload<"run.step">): void {
  const known = turn.parts.find((part) => "step" in part && part.step.id === step.id);
  if (known && "step" in known) known.step = step;
  else turn.parts.push({ step });
}

const APPROVAL_STEPS = { waiting: "running", allowed: "done", refused: "failed" } as const;

/** A question to the person, as a step for readers that only show it. */
export function approvalStep({ id, origin, action, status }: Payload<"run.approval">): Payload<"run.step"> {
  const title = truncate(`act on ${origin} (${action}): ${status}`, CHAT_LIMITS.title - 40);
  return { id, kind: "notice", title, status: APPROVAL_STEPS[status] };
}

/** What the agent said in a turn. */
export function answerOf(turn: Turn): string {
  return turn.parts
    .map((part) => ("text" in part ? part.text : ""))
    .join("\n")
    .trim();
}
