import { homeFolder } from "@debug-bridge/client/files";
import { type Hold, passHookGate } from "./hook-gate.js";
import { toCursor } from "./input/cursor.js";
import { toGemini } from "./input/gemini.js";
import { type HookInput, readHookInput, subagentOf } from "./input/hook-input.js";
import { awaitToolOutcome } from "./input/tool-outcome.js";
import { countCall, recordEnd, recordHook, recordStart } from "./record-hook.js";
import { HookSession } from "./session/hook-session.js";
import { hookedSession } from "./session/hooked-session.js";
import { drainSpool, makeSpool } from "./spool.js";

export { drainSpool, followSpool } from "./spool.js";

export interface HookOptions {
  readonly home?: string;
  /** How long the agent waits for its hook before it ends it. */
  readonly timeoutMs: number;
  /** The agent that runs the hook, such as `claude-code`. */
  readonly agent?: string;
  /** What happens to a held call when nobody answers: it runs (`allow`, the default), or it is refused. */
  readonly onTimeout?: "allow" | "deny";
}

/** The hook returns this long before the agent would end it. */
const MARGIN_MS = 5_000;
const MAX_MESSAGE_CHARACTERS = 200_000;

/**
 * Runs one hook of an agent: records what happened and holds the agent while it is paused. Returns what
 * the hook prints. An empty text means that the agent continues as it would without the hook.
 */
export async function runHook(text: string, options: HookOptions): Promise<string> {
  const input = readHookInput(text);
  if (!input) return "";
  const deadline = Date.now() + Math.max(options.timeoutMs - MARGIN_MS, options.timeoutMs / 2);
  const root = homeFolder(options.home);
  makeSpool(root);
  try {
    // What happened before comes first.
    drainSpool(root);
  } catch {
    // Another process reads it. The agent does not wait for that.
  }
  // Commands such as `claude mcp list` end a session that never began.
  if (input.hook_event_name === "SessionEnd" && hookedSession(root, input.session_id) === undefined)
    return "";
  const session = HookSession.open(root, input, options.agent);
  const answer = await answerTo(input, session, { ...options, deadline });
  if (answer === undefined) return "";
  return JSON.stringify(inTheWordsOf(options.agent, { ...answer }));
}

/** An answer in the words of an agent. */
function inTheWordsOf(agent: string | undefined, answer: Readonly<Record<string, unknown>>): object {
  if (agent === "gemini") return toGemini(answer);
  return agent === "cursor" ? toCursor(answer) : answer;
}

interface GateOptions extends HookOptions {
  /** When the hook has to return. */
  readonly deadline: number;
}

async function answerTo(
  input: HookInput,
  session: HookSession,
  options: GateOptions,
): Promise<object | undefined> {
  switch (input.hook_event_name) {
    case "PreToolUse":
      return beforeTool(input, session, options);
    case "PostToolUse":
    case "PostToolUseFailure":
      return afterTool(input, session, options);
    case "UserPromptSubmit":
      return session.exclusively((open) => {
        recordHook(open, input, new Date());
        return context(input, open.target.drainMessages());
      });
    case "Stop":
      return session.exclusively((open) => {
        recordHook(open, input, new Date());
        // An agent that this hook already continued once may stop now. Otherwise it could run forever.
        const reason = input.stop_hook_active ? undefined : open.target.drainMessages();
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
  options: GateOptions,
): Promise<object | undefined> {
  const { call, waitsForEvents } = await session.exclusively((open) => ({
    call: countCall(open, input),
    waitsForEvents: open.pauseState.breakpoints.waitsForEvents,
  }));
  if (waitsForEvents) await session.checkHubEvents();
  const { name, toolId, iteration } = call;
  const hold = await passHookGate(session, [{ at: "model", iteration }, call], options.deadline);
  if (hold?.agentGone) return undefined;
  return session.exclusively((open) => {
    const { emit, target } = open;
    const held = target.release(toolId);
    const decided = held?.changed ? held.input : call.input;
    recordStart(open, call, decided, new Date());
    const refusal = held?.cancelled
      ? `${name} was cancelled by the debugger`
      : hold?.unattended !== undefined && options.onTimeout === "deny"
        ? `${name} was held by Debug Bridge (${hold.reason}), and ${hold.unattended}`
        : undefined;
    const shown = screenText(name, hold);
    if (refusal !== undefined) {
      target.recordEnd(toolId, Date.now());
      emit("tool_call_end", { name, toolId, isError: true, cancelled: true, durationMs: 0, iteration });
      return { ...decision({ permissionDecision: "deny", permissionDecisionReason: refusal }), ...shown };
    }
    return held?.changed ? { ...decision(changedInput(decided, options.agent)), ...shown } : shown;
  });
}

async function afterTool(
  input: HookInput,
  session: HookSession,
  { deadline }: GateOptions,
): Promise<object | undefined> {
  const outcome = await awaitToolOutcome(input);
  const iteration = await session.exclusively((open) => {
    recordEnd(open, input, outcome, new Date());
    return open.pauseState.iteration;
  });
  let hold: Hold | undefined;
  if (outcome.isError) {
    const { result } = outcome;
    const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
    const message = text.slice(0, MAX_MESSAGE_CHARACTERS);
    const { tool_name: name = "unknown", tool_use_id: toolId } = input;
    const call = { name, ...(toolId === undefined ? {} : { toolId }), ...subagentOf(input) };
    const error = { at: "error", iteration, message, context: "tool", ...call } as const;
    hold = await passHookGate(session, [error], deadline);
  }
  const note = await session.exclusively(({ target }) => context(input, target.drainMessages()));
  const shown = screenText(input.tool_name ?? "the tool", hold);
  return note === undefined ? shown : { ...note, ...shown };
}

const decision = (what: object): object => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...what } });

/**
 * The decision to run a call with another input. Claude Code then asks for permission as usual, by its own rules; with
 * `allow` it would not. Codex accepts another input only with `allow`.
 */
function changedInput(input: unknown, agent: string | undefined): object {
  return { ...(agent === "claude-code" ? {} : { permissionDecision: "allow" }), updatedInput: input };
}

/** Says on the agent's screen who held it, why and for how long. */
function screenText(name: string, hold: Hold | undefined): { systemMessage: string } | undefined {
  if (!hold) return undefined;
  const seconds = Math.round(hold.durationMs / 100) / 10;
  const end = hold.unattended === undefined ? "" : `; ${hold.unattended}`;
  return { systemMessage: `Debug Bridge held ${name} for ${seconds} s: ${hold.reason}${end}` };
}

/** Adds a text to what the model sees next. */
function context(input: HookInput, note: string | undefined): object | undefined {
  if (note === undefined) return undefined;
  return { hookSpecificOutput: { hookEventName: input.hook_event_name, additionalContext: note } };
}
