type Block = Readonly<Record<string, unknown>>;

/** A message for people: its text, `→` its calls and `←` their results, in the format of any provider. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(blockText).join(" ");
  return JSON.stringify(content) ?? "";
}

function blockText(block: unknown): string {
  if (typeof block !== "object" || block === null) return contentText(block);
  const { type, text, thinking, name, toolName } = block as Block;
  switch (typeof type === "string" ? type.replaceAll("-", "_") : "") {
    case "text":
    case "input_text":
    case "output_text":
    case "reasoning":
    case "thinking":
      return typeof (text ?? thinking) === "string" ? String(text ?? thinking) : JSON.stringify(block);
    case "tool_use":
    case "tool_call":
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call": {
      const { input, arguments: given = input } = block as Block;
      return `→ ${contentText(name ?? toolName)} ${contentText(given)}`;
    }
    case "tool_result":
    case "tool_error":
    case "function_call_output":
    case "custom_tool_call_output":
      return `← ${contentText(resultOf(block as Block))}`;
    default:
      return JSON.stringify(block);
  }
}

/** The result in a block; the AI SDK wraps it once more. */
function resultOf({ content, output, error }: Block): unknown {
  const result = content ?? output ?? error;
  const { value } = (typeof result === "object" && result !== null ? result : {}) as Block;
  return value ?? result;
}
