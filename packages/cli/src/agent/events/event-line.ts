import { recordLine, stripControlCharacters } from "@debug-bridge/protocol";
import { paint, type Style } from "../../terminal/style.js";

/** An event in a file, written by our agents or by others. */
export interface FileEvent {
  readonly type: string;
  readonly timestamp?: unknown;
  readonly sequence?: unknown;
  readonly data?: unknown;
}

const TYPE_WIDTH = 20;
/** Colour of the columns before the text. */
const COLOURS: Readonly<Record<string, Style>> = {
  session_start: "green",
  session_end: "green",
  user_input: "cyan",
  assistant_message: "cyan",
  api_request: "blue",
  api_response: "blue",
  tool_call_start: "yellow",
  tool_call_end: "yellow",
  tool_result: "yellow",
  paused: "magenta",
  resumed: "magenta",
  step_complete: "magenta",
  breakpoint_hit: "magenta",
  error: "red",
  gap: "red",
};

/** Parses one line of an events file; `undefined` when it is not an event. */
export function parseEvent(line: string): FileEvent | undefined {
  try {
    const value = JSON.parse(line) as FileEvent | null;
    return typeof value?.type === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One event as one line for a terminal: local time, type, and its text. */
export function eventLine(event: FileEvent): string {
  const { level, text } = recordLine(event);
  const type = stripControlCharacters(event.type).replaceAll(/\s+/g, " ").padEnd(TYPE_WIDTH);
  const colour = level === "error" ? "red" : (COLOURS[event.type] ?? "dim");
  return `${paint(colour, `[${localTime(event.timestamp)}] ${type}`)} ${stripControlCharacters(text)}`.trimEnd();
}

function localTime(timestamp: unknown): string {
  const date = new Date(
    typeof timestamp === "string" || typeof timestamp === "number" ? timestamp : Number.NaN,
  );
  return Number.isNaN(date.getTime()) ? "--:--:--" : date.toTimeString().slice(0, 8);
}
