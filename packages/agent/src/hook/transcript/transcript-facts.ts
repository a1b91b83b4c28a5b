import { statSync } from "node:fs";
import { readLines } from "@debug-bridge/journal";

/** What is looked for was written last. */
const MAX_BYTES = 512 * 1024;

/** The model that answered last, as an agent's transcript has it; undefined before the first answer. */
export function modelIn(transcript: string | undefined): string | undefined {
  let model: string | undefined;
  for (const line of lastLinesOf(transcript)) {
    if (!line.includes('"model"')) continue;
    const message = objectIn(parse(line), "message");
    // Claude Code writes its own answers, such as errors, as a model in angle brackets.
    if (typeof message?.model === "string" && !message.model.startsWith("<")) model = message.model;
  }
  return model;
}

export interface CommandEnd {
  readonly failed: boolean;
  readonly exitCode?: number;
}

/** How a tool call of Codex ended: its hook does not say it. Undefined when the transcript does not know it (yet). */
export function commandEndIn(transcript: string | undefined, toolId: string): CommandEnd | undefined {
  let end: CommandEnd | undefined;
  for (const line of lastLinesOf(transcript)) {
    if (!line.includes('"item_completed"') || !line.includes(toolId)) continue;
    const item = objectIn(objectIn(parse(line), "payload"), "item");
    if (item?.id !== toolId || typeof item.status !== "string") continue;
    const { exit_code: exitCode } = item;
    const failed = item.status === "failed" || (typeof exitCode === "number" && exitCode !== 0);
    end = { failed, ...(typeof exitCode === "number" ? { exitCode } : {}) };
  }
  return end;
}

function* lastLinesOf(file: string | undefined): Generator<string> {
  if (file === undefined) return;
  try {
    for (const { text } of readLines(file, Math.max(0, statSync(file).size - MAX_BYTES))) yield text;
  } catch {
    // The file does not exist or cannot be read.
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function objectIn(value: unknown, key: string): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const member = (value as Record<string, unknown>)[key];
  return typeof member === "object" && member !== null ? (member as Record<string, unknown>) : undefined;
}
