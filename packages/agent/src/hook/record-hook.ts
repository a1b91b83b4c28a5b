import { type HookInput, subagentOf } from "./input/hook-input.js";
import { type ToolOutcome, toolOutcome } from "./input/tool-outcome.js";
import type { OpenSession } from "./session/hook-session.js";

/** A tool call that an agent is about to make. */
export interface HookCall {
  readonly at: "tool";
  readonly iteration: number;
  readonly name: string;
  readonly toolId: string;
  readonly input: unknown;
  readonly subagent?: string;
  readonly subagentId?: string;
}

/** Counts a tool call. It is recorded when it starts. */
export function countCall({ pauseState, target }: OpenSession, input: HookInput): HookCall {
  const { tool_name: name = "unknown", tool_input: toolInput = null } = input;
  target.recordToolName(name);
  const iteration = ++pauseState.iteration;
  const toolId = input.tool_use_id ?? `call-${iteration}`;
  return { at: "tool", iteration, name, toolId, input: toolInput, ...subagentOf(input) };
}

/** Records the start of a tool call, with the input that it gets. */
export function recordStart({ emit, target }: OpenSession, call: HookCall, input: unknown, at: Date): void {
  const { at: _, ...fields } = call;
  emit("tool_call_start", { ...fields, input }, at);
  target.recordStart(call.toolId, at.getTime());
}

/** Records the end of a tool call and its result. */
export function recordEnd(session: OpenSession, input: HookInput, outcome: ToolOutcome, at: Date): void {
  const { emit, target, pauseState } = session;
  const { iteration } = pauseState;
  const { isError, result, exitCode } = outcome;
  const call = {
    name: input.tool_name ?? "unknown",
    toolId: input.tool_use_id ?? `call-${iteration}`,
    ...subagentOf(input),
  };
  const measured = target.recordEnd(call.toolId, at.getTime());
  const durationMs = input.duration_ms ?? measured;
  emit("tool_call_end", { ...call, isError, exitCode, durationMs, iteration }, at);
  emit("tool_result", { ...call, result, isError }, at);
}

/** Records what a hook reports about an agent that nothing can hold. */
export function recordHook(session: OpenSession, input: HookInput, at: Date): void {
  const { emit } = session;
  switch (input.hook_event_name) {
    case "PreToolUse": {
      const call = countCall(session, input);
      recordStart(session, call, call.input, at);
      return;
    }
    case "PostToolUse":
    case "PostToolUseFailure":
      recordEnd(session, input, toolOutcome(input), at);
      return;
    case "UserPromptSubmit":
      emit("user_input", { input: input.prompt }, at);
      return;
    case "Stop":
      if (input.last_assistant_message !== undefined && input.last_assistant_message !== null)
        emit("assistant_message", { content: input.last_assistant_message }, at);
      return;
    case "PreCompact":
      emit("context_compaction", { trigger: input.trigger }, at);
      return;
    case "SubagentStart":
      emit("subagent_start", subagentOf(input), at);
      return;
    case "SubagentStop":
      emit("subagent_end", { ...subagentOf(input), content: input.last_assistant_message ?? undefined }, at);
      return;
    case "SessionEnd":
      emit("session_end", { reason: input.reason ?? "done" }, at);
      return;
  }
}
