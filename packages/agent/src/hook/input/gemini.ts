/** Gemini CLI has the hooks of Claude Code under other names, and answers of another shape. */
const NAMES: Readonly<Record<string, string>> = {
  BeforeAgent: "UserPromptSubmit",
  BeforeTool: "PreToolUse",
  AfterTool: "PostToolUse",
  AfterAgent: "Stop",
  PreCompress: "PreCompact",
};

type Fields = Readonly<Record<string, unknown>>;

/** The input of a hook of Gemini CLI in the words of Claude Code; any other as it is. */
export function fromGemini(input: Fields): Fields {
  const name = NAMES[String(input.hook_event_name)];
  if (name === undefined) return input;
  const { prompt_response: last } = input;
  return { ...input, hook_event_name: name, ...(last === undefined ? {} : { last_assistant_message: last }) };
}

/** An answer to a hook in the words of Gemini CLI. A changed input is merged into that of the model. */
export function toGemini(answer: Fields): Fields {
  const { hookSpecificOutput, decision, reason, ...common } = answer;
  const output = (hookSpecificOutput ?? {}) as Fields;
  if (decision === "block") return { ...common, decision: "deny", reason };
  if (output.permissionDecision === "deny")
    return { ...common, decision: "deny", reason: output.permissionDecisionReason };
  if (output.updatedInput !== undefined)
    return { ...common, hookSpecificOutput: { tool_input: output.updatedInput } };
  if (output.additionalContext !== undefined)
    return { ...common, hookSpecificOutput: { additionalContext: output.additionalContext } };
  return common;
}
