import { stepWords } from "../steps/step-words.js";
import { visibleText } from "../text/visible-text.js";

/** A record of an agent's session. */
export interface AgentRecord {
  readonly type: string;
  readonly data?: unknown;
}

/** Why an agent waits, in words for the person; undefined while it runs. */
export type AgentStop = string | undefined;

const MAX_TEXT = 200;

/** Where the agent is after some records. `hit` is the breakpoint that it met last, until it goes on. */
export interface AgentPosition {
  readonly stop: AgentStop;
  readonly hit?: string | undefined;
}

export const RUNNING: AgentPosition = { stop: undefined };

export function afterRecord(position: AgentPosition, { type, data }: AgentRecord): AgentPosition {
  if (type === "breakpoint_hit") return { ...position, hit: hitText(fields(data)) };
  if (type === "resumed" || type === "session_end") return RUNNING;
  if (type !== "paused") return position;
  const isAtBreakpoint = String(fields(data).reason).startsWith("breakpoint");
  return { stop: (isAtBreakpoint ? position.hit : undefined) ?? "Paused" };
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => Object(value ?? {}) as Fields;

function hitText({ toolCall, message, breakpoint }: Fields): string {
  if (toolCall !== undefined) return `Stopped before ${callText(fields(toolCall))}`;
  if (typeof message === "string") return `Stopped at an error: ${shown(message)}`;
  const { type, condition } = fields(breakpoint);
  return `Stopped at ${shown(`${type} ${condition}`)}`;
}

/** What the call would do, in the words of its step; a tool that is not ours has only its name. */
function callText({ name, input }: Fields): string {
  const title = String(name);
  const words = stepWords({
    ...{ id: "", kind: "tool", status: "running", title, detail: JSON.stringify(input ?? {}) },
  }).title;
  return shown(words === title ? title : `${words.charAt(0).toLowerCase()}${words.slice(1)}`);
}

function shown(text: string): string {
  const safe = visibleText(text.replace(/\s+/g, " "));
  return safe.length > MAX_TEXT ? `${safe.slice(0, MAX_TEXT)}…` : safe;
}
