import { statSync } from "node:fs";
import { readLines } from "@debug-bridge/journal";
import type { Message } from "../types.js";

/** Of a longer transcript only the end is read. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The conversation of an agent behind hooks, from the transcript that it keeps itself: one JSON value a line, with a
 * `message` (Claude Code) or an item of a response (Codex). What is neither is left out.
 */
export function readTranscript(file: string | undefined): Message[] {
  if (file === undefined) return [];
  const messages: Message[] = [];
  try {
    const from = Math.max(0, statSync(file).size - MOST_BYTES);
    for (const { text } of readLines(file, from)) {
      const message = messageIn(text);
      if (message) messages.push(message);
    }
  } catch {
    // It is not there, or not ours to read.
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
  return value?.type === "response_item" && isObject(value.payload) ? ofItem(value.payload) : undefined;
}

function ofItem(item: Record<string, unknown>): Message | undefined {
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
