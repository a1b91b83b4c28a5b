import { homeFolder } from "@debug-bridge/client/files";
import { passHookGate } from "./hook-gate.js";
import { type HookInput, readHookInput, subagentOf } from "./hook-input.js";
import { HookSession } from "./hook-session.js";
import { hookedSession } from "./hooked-session.js";
import { countCall, recordEnd, recordHook, recordStart } from "./record-hook.js";
import { drainSpool, makeSpool } from "./spool.js";
import { awaitToolOutcome } from "./tool-outcome.js";

export { drainSpool, followSpool } from "./spool.js";

export interface HookOptions {
  readonly home?: string;
  /** How long the agent waits for its hook before it ends it. */
  readonly timeoutMs: number;
  /** The agent that runs the hook, such as `claude-code`. */
  readonly agent?: string;
}

/** The hook returns this long before the agent would end it. */
const MARGIN_MS = 5_000;
const MAX_MESSAGE_CHARACTERS = 200_000;

/**
 * Runs one hook of Claude Code or Codex: records what happened and holds the agent while it is paused. Returns what
 * the hook prints. An empty text means that the agent continues as it would without the hook.
 */
export async function runHook(text: string, options: HookOptions): Promise<string> {
  const input = readHookInput(text);
  if (!input) return "";
  const deadline = Date.now() + Math.max(options.timeoutMs - MARGIN_MS, options.timeoutMs / 2);
  const root = homeFolder(options.home);
  makeSpool(root);
  // What happened before comes first.
  drainSpool(root);
  // Commands such as `claude mcp list` end a session that never began.
  if (input.hook_event_name === "SessionEnd" && hookedSession(root, input.session_id) === undefined)
    return "";
  const session = HookSession.open(root, input, options.agent);
  const answer = await answerTo(input, session, deadline);
  return answer === undefined ? "" : JSON.stringify(answer);
}

async function answerTo(
  input: HookInput,
  session: HookSession,
  deadline: number,
): Promise<object | undefined> {
  switch (input.hook_event_name) {
    case "PreToolUse":
      return beforeTool(input, session, deadline);
    case "PostToolUse":
    case "PostToolUseFailure":
      return afterTool(input, session, deadline);
    case "UserPromptSubmit":
      return session.exclusively((open) => {
        recordHook(open, input, new Date());
        return context(input, open.target.takeMessages());
      });
    case "Stop":
      return session.exclusively((open) => {
        recordHook(open, input, new Date());
        // An agent that this hook already continued once may stop now. Otherwise it could run forever.
        const reason = input.stop_hook_active ? undefined : open.target.takeMessages();
        return reason === undefined ? undefined : { decision: "block", reason };
      });
    default:
      await session.exclusively((open) => recordHook(open, input, new Date()));
      if (input.hook_event_name === "SessionEnd") session.end();
      return undefined;
  }
}

async function beforeTool(
  input: HookInput,
  session: HookSession,
  deadline: number,
): Promise<object | undefined> {
  const { call, waitsForEvents } = await session.exclusively((open) => ({
    call: countCall(open, input),
    waitsForEvents: open.pauseState.breakpoints.waitsForEvents,
  }));
  if (waitsForEvents) await session.checkHubEvents();
  const { name, toolId, iteration } = call;
  await passHookGate(session, [{ at: "model", iteration }, call], deadline);
  return session.exclusively((open) => {
    const { emit, target } = open;
    const held = target.release(toolId);
    const decided = held?.changed ? held.input : call.input;
    recordStart(open, call, decided, new Date());
    if (held?.cancelled) {
      target.recordEnd(toolId, Date.now());
      emit("tool_call_end", { name, toolId, isError: true, cancelled: true, durationMs: 0, iteration });
      return decision({
        permissionDecision: "deny",
        permissionDecisionReason: `${name} was cancelled by the debugger`,
      });
    }
    // Without a change there is no decision, so that the agent asks for permission as usual.
    return held?.changed ? decision({ permissionDecision: "allow", updatedInput: decided }) : undefined;
  });
}

async function afterTool(
  input: HookInput,
  session: HookSession,
  deadline: number,
): Promise<object | undefined> {
  const outcome = await awaitToolOutcome(input);
  const iteration = await session.exclusively((open) => {
    recordEnd(open, input, outcome, new Date());
    return open.pauseState.iteration;
  });
  if (outcome.isError) {
    const { result } = outcome;
    const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
    const message = text.slice(0, MAX_MESSAGE_CHARACTERS);
    const { tool_name: name = "unknown", tool_use_id: toolId } = input;
    const call = { name, ...(toolId === undefined ? {} : { toolId }), ...subagentOf(input) };
    await passHookGate(session, [{ at: "error", iteration, message, context: "tool", ...call }], deadline);
  }
  return session.exclusively(({ target }) => context(input, target.takeMessages()));
}

const decision = (what: object): object => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...what } });

/** Adds a text to what the model sees next. */
function context(input: HookInput, note: string | undefined): object | undefined {
  if (note === undefined) return undefined;
  return { hookSpecificOutput: { hookEventName: input.hook_event_name, additionalContext: note } };
}
