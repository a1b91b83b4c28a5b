import { contentText, type TimelineRecord } from "@debug-bridge/protocol";
import { type AgentPosition, afterRecord, RUNNING } from "@debug-bridge/ui/state/agent-stop.js";
import { type Fields, fieldsOf, numberOf, textOf } from "../details/fields.js";
import type { Tokens, Usage } from "./model-prices.js";

/** Kinds of records that a conversation is made of. */
export const RUN_KINDS = "agent,error,other";

/** A tool call that waits for the person. */
export interface HeldCall {
  readonly name: string;
  readonly toolId: string | undefined;
  readonly input: unknown;
}

export type RunEntry = { readonly sequence: number; readonly at: number } & (
  | { readonly kind: "message"; readonly from: "person" | "agent"; readonly text: string }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly toolId: string | undefined;
      readonly input: unknown;
      readonly result?: unknown;
      readonly isError: boolean;
      readonly durationMs?: number | undefined;
      readonly isRunning: boolean;
    }
  | { readonly kind: "note"; readonly text: string; readonly isProblem: boolean }
  | ({ readonly kind: "usage" } & Usage)
);

/** An agent's run as far as it is known. */
export interface AgentRun {
  readonly position: AgentPosition;
  readonly held: HeldCall | undefined;
  readonly hasEnded: boolean;
  readonly entries: readonly RunEntry[];
  readonly checkpoints: readonly { readonly id: string; readonly label: string }[];
  /** The model that was named last. */
  readonly model: string | undefined;
  /** Tokens that were reported, in and out; `undefined` when none were. */
  readonly tokens: { readonly input: number; readonly output: number } | undefined;
  /** The same tokens by their models, of all answers. */
  readonly usages: readonly Usage[];
}

export const NO_RUN: AgentRun = {
  ...{ position: RUNNING, held: undefined, hasEnded: false, entries: [], checkpoints: [] },
  ...{ model: undefined, tokens: undefined, usages: [] },
};

/** Entries that are kept; the records have all of them. */
const MAX_ENTRIES = 300;

/** The run after one more record. */
export function afterRunRecord(run: AgentRun, record: TimelineRecord): AgentRun {
  const data = fieldsOf(record.data);
  const position = afterRecord(run.position, record);
  const model = textOf(data.model) ?? textOf(fieldsOf(data.provider).model) ?? run.model;
  const entries = entriesAfter(run.entries, record, data, model).slice(-MAX_ENTRIES);
  const next = { ...run, position, entries, model };
  switch (record.type) {
    case "breakpoint_hit":
      return { ...next, held: data.toolCall === undefined ? undefined : heldCall(fieldsOf(data.toolCall)) };
    case "resumed":
      return { ...next, held: undefined };
    case "session_start":
      return { ...next, hasEnded: false };
    case "session_end":
      return { ...next, held: undefined, hasEnded: true };
    case "checkpoint": {
      const id = textOf(data.checkpoint) ?? "";
      return { ...next, checkpoints: [...run.checkpoints, { id, label: textOf(data.label) ?? id }] };
    }
    case "api_response":
      return { ...next, ...withUsage(run, model, tokensOf(fieldsOf(data.usage))) };
    default:
      return next;
  }
}

const heldCall = ({ name, toolId, input }: Fields): HeldCall => ({
  ...{ name: textOf(name) ?? "?", toolId: textOf(toolId), input },
});

function withUsage(
  { tokens: before, usages }: AgentRun,
  model: string | undefined,
  tokens: Tokens | undefined,
): Pick<AgentRun, "tokens" | "usages"> {
  if (!tokens) return { tokens: before, usages };
  const sum = { input: (before?.input ?? 0) + tokens.input, output: (before?.output ?? 0) + tokens.output };
  const same = usages.find((usage) => usage.model === model);
  const others = usages.filter((usage) => usage !== same);
  return { tokens: sum, usages: [...others, { model, tokens: same ? added(same.tokens, tokens) : tokens }] };
}

const added = (one: Tokens, other: Tokens): Tokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
});

function tokensOf(usage: Fields): Tokens | undefined {
  const [input, output] = [countOf(usage.inputTokens), countOf(usage.outputTokens)];
  if (input === undefined && output === undefined) return undefined;
  const parts = fieldsOf(usage.inputTokens);
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: numberOf(usage.cachedInputTokens) ?? numberOf(parts.cacheRead) ?? 0,
    cacheWrite: numberOf(parts.cacheWrite) ?? 0,
  };
}

/** Some report one number, others the parts with their total. */
const countOf = (value: unknown): number | undefined => numberOf(value) ?? numberOf(fieldsOf(value).total);

function entriesAfter(
  entries: readonly RunEntry[],
  { type, sequence, timestamp }: TimelineRecord,
  data: Fields,
  model: string | undefined,
): readonly RunEntry[] {
  const about = { sequence, at: Date.parse(timestamp) };
  const note = (text: string, isProblem = false): RunEntry[] => [
    ...entries,
    { ...about, kind: "note", text, isProblem },
  ];
  switch (type) {
    case "user_input":
      return [
        ...entries,
        { ...about, kind: "message", from: "person", text: contentText(data.input ?? data.content) },
      ];
    case "assistant_message":
      return [...entries, { ...about, kind: "message", from: "agent", text: contentText(data.content) }];
    case "tool_call_start":
      return [...entries, { ...about, kind: "call", ...heldCall(data), isError: false, isRunning: true }];
    case "tool_call_end":
    case "tool_result":
      return withResult(entries, data);
    case "api_response": {
      const tokens = tokensOf(fieldsOf(data.usage));
      return tokens ? [...entries, { ...about, kind: "usage", model, tokens }] : entries;
    }
    case "branch":
      return note(
        `Branched from ${textOf(data.checkpoint) ?? "a checkpoint"} into ${textOf(data.session) ?? "?"}`,
      );
    case "checkpoint":
      return note(`Checkpoint ${textOf(data.label) ?? textOf(data.checkpoint) ?? ""}`);
    case "rewind":
      return note(`Went back to ${textOf(data.checkpoint) ?? "a checkpoint"}`);
    case "paused":
      return note(`Paused: ${textOf(data.reason) ?? "by a command"}`);
    case "session_end":
      return note(`Ended: ${textOf(data.reason) ?? "done"}`);
    case "error":
      return note(textOf(data.message) ?? "an error", true);
    case "gap":
      return note(`Some records are missing: ${textOf(data.reason) ?? ""}`, true);
    default:
      return entries;
  }
}

/** The newest call that the end or the result belongs to gets it. */
function withResult(entries: readonly RunEntry[], data: Fields): readonly RunEntry[] {
  const toolId = textOf(data.toolId);
  const at = entries.findLastIndex(
    (entry) =>
      entry.kind === "call" && (toolId === undefined ? entry.name === data.name : entry.toolId === toolId),
  );
  const call = entries[at];
  if (call?.kind !== "call") return entries;
  const ended = {
    ...call,
    isRunning: false,
    isError: call.isError || data.isError === true,
    durationMs: numberOf(data.durationMs) ?? call.durationMs,
    ...(data.result === undefined ? {} : { result: data.result }),
  };
  return [...entries.slice(0, at), ended, ...entries.slice(at + 1)];
}
