import { homeFolder } from "@debug-bridge/client/files";
import { passHookGate } from "./hook-gate.js";
import { type HookInput, readHookInput } from "./hook-input.js";
import { HookSession } from "./hook-session.js";

export interface HookOptions {
  readonly home?: string;
  /** How long the agent waits for its hook before it ends it. */
  readonly timeoutMs: number;
}

/** The hook returns this long before the agent would end it. */
const MARGIN_MS = 5_000;

/**
 * Runs one hook of Claude Code or Codex: records what happened and holds the agent while it is paused. Returns what
 * the hook prints. An empty text means that the agent continues as it would without the hook.
 */
export async function runHook(text: string, options: HookOptions): Promise<string> {
  const input = readHookInput(text);
  if (!input) return "";
  const deadline = Date.now() + Math.max(options.timeoutMs - MARGIN_MS, options.timeoutMs / 2);
  const session = HookSession.open(homeFolder(options.home), input);
  const answer = await answerTo(input, session, deadline);
  return answer === undefined ? "" : JSON.stringify(answer);
}

function answerTo(input: HookInput, session: HookSession, deadline: number): Promise<object | undefined> {
  switch (input.hook_event_name) {
    case "PreToolUse":
      return beforeTool(input, session, deadline);
    case "PostToolUse":
    case "PostToolUseFailure":
      return afterTool(input, session, deadline);
    case "UserPromptSubmit":
      return session.exclusively(({ emit, target }) => {
        emit("user_input", { input: input.prompt });
        return context(input, target.takeMessages());
      });
    case "Stop":
      return session.exclusively(({ emit, target }) => {
        if (input.last_assistant_message !== undefined && input.last_assistant_message !== null)
          emit("assistant_message", { content: input.last_assistant_message });
        // An agent that this hook already continued once may stop now. Otherwise it could run forever.
        const reason = input.stop_hook_active ? undefined : target.takeMessages();
        return reason === undefined ? undefined : { decision: "block", reason };
      });
    case "PreCompact":
      return session.exclusively(({ emit }) => {
        emit("context_compaction", {});
        return undefined;
      });
    case "SessionEnd":
      return session
        .exclusively(({ emit }) => emit("session_end", { reason: input.reason ?? "done" }))
        .then(() => session.end())
        .then(() => undefined);
    default:
      return session.exclusively(() => undefined);
  }
}

async function beforeTool(
  input: HookInput,
  session: HookSession,
  deadline: number,
): Promise<object | undefined> {
  const { tool_name: name = "unknown", tool_input: toolInput = null } = input;
  const { iteration, waitsForEvents } = await session.exclusively(({ pauseState, target }) => {
    target.recordToolName(name);
    return { iteration: ++pauseState.iteration, waitsForEvents: pauseState.breakpoints.waitsForEvents };
  });
  if (waitsForEvents) await session.checkHubEvents();
  const toolId = input.tool_use_id ?? `call-${iteration}`;
  const call = { at: "tool", iteration, name, toolId, input: toolInput } as const;
  await passHookGate(session, [{ at: "model", iteration }, call], deadline);
  return session.exclusively(({ emit, target }) => {
    const held = target.release(toolId);
    const decided = held?.changed ? held.input : toolInput;
    emit("tool_call_start", { name, toolId, input: decided, iteration });
    if (held?.cancelled) {
      emit("tool_call_end", { name, toolId, isError: true, cancelled: true, durationMs: 0, iteration });
      return decision({
        permissionDecision: "deny",
        permissionDecisionReason: `${name} was cancelled by the debugger`,
      });
    }
    target.recordStart(toolId);
    // Without a change there is no decision, so that the agent asks for permission as usual.
    return held?.changed ? decision({ permissionDecision: "allow", updatedInput: decided }) : undefined;
  });
}

async function afterTool(
  input: HookInput,
  session: HookSession,
  deadline: number,
): Promise<object | undefined> {
  const { tool_name: name = "unknown", tool_response: response, error } = input;
  const isError = input.hook_event_name === "PostToolUseFailure" || isFailure(response);
  const result = response ?? error ?? null;
  const iteration = await session.exclusively(({ emit, target, pauseState }) => {
    const toolId = input.tool_use_id ?? `call-${pauseState.iteration}`;
    const durationMs = input.duration_ms ?? target.recordEnd(toolId);
    emit("tool_call_end", { name, toolId, isError, durationMs, iteration: pauseState.iteration });
    emit("tool_result", { name, toolId, result, isError });
    return pauseState.iteration;
  });
  if (isError) {
    const message = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
    await passHookGate(
      session,
      [{ at: "error", iteration, message: message.slice(0, 200_000), context: "tool", name }],
      deadline,
    );
  }
  return session.exclusively(({ target }) => context(input, target.takeMessages()));
}

function isFailure(response: unknown): boolean {
  if (typeof response !== "object" || response === null) return false;
  const { is_error, isError, success } = response as Record<string, unknown>;
  return is_error === true || isError === true || success === false;
}

const decision = (what: object): object => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...what } });

/** Adds a text to what the model sees next. */
function context(input: HookInput, note: string | undefined): object | undefined {
  if (note === undefined) return undefined;
  return { hookSpecificOutput: { hookEventName: input.hook_event_name, additionalContext: note } };
}
