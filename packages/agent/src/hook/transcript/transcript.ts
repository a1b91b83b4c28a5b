import { statSync } from "node:fs";
import { readLines } from "@debug-bridge/journal";
import { isObject } from "@debug-bridge/protocol";
import type { Message } from "../../types.js";

/** Only the end of a longer transcript is read. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads the conversation of an agent from the transcript that it writes itself: one JSON value per line, with a
 * `message` (Claude Code) or a response item (Codex). Other lines are skipped.
 */
export function readTranscript(file: string | undefined): Message[] {
  if (file === undefined) return [];
  const messages: Message[] = [];
  try {
    const from = Math.max(0, statSync(file).size - MAX_BYTES);
    for (const { text } of readLines(file, from)) {
      const message = messageIn(text);
      if (message) messages.push(message);
    }
  } catch {
    // The file does not exist or cannot be read.
  }
  return messages;
}

function messageIn(line: string): Message | undefined {
  let value: { message?: unknown; payload?: unknown; type?: unknown } | null;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (isObject(value?.message)) return asMessage(value.message);
  return value?.type === "response_item" && isObject(value.payload)
    ? messageFromItem(value.payload)
    : undefined;
}

function messageFromItem(item: Record<string, unknown>): Message | undefined {
  switch (item.type) {
    case "message":
      return asMessage(item);
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call": {
      const { type, name, call_id, arguments: input = item.input ?? item.action } = item;
      return { role: "assistant", content: [{ type, name, call_id, input }] };
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return { role: "tool", content: [{ type: item.type, call_id: item.call_id, output: item.output }] };
    default:
      return undefined;
  }
}

function asMessage({ role, content }: Record<string, unknown>): Message | undefined {
  return typeof role === "string" ? { role, content } : undefined;
}
