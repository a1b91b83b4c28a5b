import { fromCursor } from "./cursor.js";
import { fromGemini } from "./gemini.js";

/** The input that an agent writes to a hook's standard input. Claude Code and Codex use the same format, and others are translated to it. */
export interface HookInput {
  readonly session_id: string;
  readonly hook_event_name: string;
  readonly cwd?: string;
  readonly model?: string;
  readonly transcript_path?: string;
  /** The subagent that the hook belongs to. */
  readonly agent_id?: string;
  readonly agent_type?: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
  readonly tool_response?: unknown;
  readonly duration_ms?: number;
  readonly error?: unknown;
  readonly prompt?: string;
  readonly last_assistant_message?: unknown;
  readonly stop_hook_active?: boolean;
  readonly reason?: string;
  /** Why the conversation is shortened: `manual` or `auto`. */
  readonly trigger?: string;
}

const TEXTS = [
  "cwd",
  "model",
  "transcript_path",
  "agent_id",
  "agent_type",
  "tool_name",
  "tool_use_id",
  "prompt",
  "reason",
  "trigger",
] as const;

/** Parses the input of a hook; undefined when it is not valid. Fields of a wrong type are removed. */
export function readHookInput(text: string): HookInput | undefined {
  let value: Record<string, unknown> | null;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const input: Record<string, unknown> = { ...fromCursor(fromGemini(value)) };
  const { session_id, hook_event_name } = input;
  if (typeof session_id !== "string" || typeof hook_event_name !== "string") return undefined;
  for (const name of TEXTS) if (typeof input[name] !== "string") delete input[name];
  if (typeof input.duration_ms !== "number" || !(input.duration_ms >= 0)) delete input.duration_ms;
  return input as unknown as HookInput;
}

/** Which subagent a hook belongs to, for its events; nothing for the agent itself. */
export function subagentOf({ agent_id, agent_type }: HookInput): { subagent?: string; subagentId?: string } {
  return agent_id === undefined ? {} : { subagent: agent_type ?? "subagent", subagentId: agent_id };
}
