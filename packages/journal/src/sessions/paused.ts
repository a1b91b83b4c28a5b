import { statSync } from "node:fs";
import { MAX_LAST_BYTES, readLinesBackward } from "../lines/read-lines.js";

/** Whether an agent was paused last, and not resumed, by its newest events. */
export function wasPausedLast(eventsFile: string): boolean {
  const { size = 0 } = statSync(eventsFile, { throwIfNoEntry: false }) ?? {};
  if (size === 0) return false;
  for (const { text } of readLinesBackward(eventsFile, size, Math.max(0, size - MAX_LAST_BYTES))) {
    // Most events are neither, and need not be parsed.
    if (!/"type":\s*"(?:paused|resumed)"/.test(text)) continue;
    const type = typeOf(text);
    if (type === "paused" || type === "resumed") return type === "paused";
  }
  return false;
}

function typeOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
}
