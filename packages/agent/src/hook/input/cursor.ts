/** Cursor has the hooks of Claude Code under other names, with other fields and answers of another shape. */
const NAMES: Readonly<Record<string, string>> = {
  sessionStart: "SessionStart",
  beforeSubmitPrompt: "UserPromptSubmit",
  preToolUse: "PreToolUse",
  postToolUse: "PostToolUse",
  postToolUseFailure: "PostToolUseFailure",
  subagentStart: "SubagentStart",
  subagentStop: "SubagentStop",
  preCompact: "PreCompact",
  stop: "Stop",
  sessionEnd: "SessionEnd",
};

type Fields = Readonly<Record<string, unknown>>;

/** The input of a hook of Cursor in the words of Claude Code; any other as it is. */
export function fromCursor(input: Fields): Fields {
  const name = NAMES[String(input.hook_event_name)];
  if (name === undefined || typeof input.conversation_id !== "string") return input;
  const { workspace_roots: roots, loop_count: loops, tool_output: output, duration, error_message } = input;
  const cwd = input.cwd ?? (Array.isArray(roots) ? roots[0] : undefined);
  return {
    ...input,
    hook_event_name: name,
    session_id: input.conversation_id,
    ...(cwd === undefined ? {} : { cwd }),
    ...(output === undefined ? {} : { tool_response: parsed(output) }),
    ...(error_message === undefined ? {} : { error: error_message }),
    ...(duration === undefined ? {} : { duration_ms: duration }),
    ...(input.subagent_id === undefined ? {} : { agent_id: input.subagent_id }),
    ...(input.subagent_type === undefined ? {} : { agent_type: input.subagent_type }),
    // It has been continued by this hook before.
    ...(typeof loops === "number" && loops > 0 ? { stop_hook_active: true } : {}),
  };
}

/** An answer to a hook in the words of Cursor, whose own rules decide what is not answered. */
export function toCursor({ hookSpecificOutput, decision, reason, systemMessage }: Fields): Fields {
  const output = (hookSpecificOutput ?? {}) as Fields;
  const shown = systemMessage === undefined ? {} : { user_message: systemMessage };
  // Only the end of a turn is blocked, to go on with what a person injected.
  if (decision === "block") return { followup_message: reason };
  if (output.permissionDecision === "deny") {
    const why = output.permissionDecisionReason;
    return { permission: "deny", agent_message: why, user_message: systemMessage ?? why };
  }
  if (output.updatedInput !== undefined)
    return { permission: "allow", updated_input: output.updatedInput, ...shown };
  if (output.additionalContext !== undefined)
    return { additional_context: output.additionalContext, ...shown };
  return shown;
}

/** Cursor gives results as JSON in a text. */
function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return value;
  }
}
