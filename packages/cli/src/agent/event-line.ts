import { stripControlCharacters, truncate } from "@debug-bridge/protocol";
import { paint, type Style } from "../terminal/style.js";
import { contentText } from "./content-text.js";

/** An event in a file, of our agents or of others. */
export interface FileEvent {
  readonly type: string;
  readonly timestamp?: unknown;
  readonly sequence?: unknown;
  readonly data?: unknown;
}

type Data = Readonly<Record<string, unknown>>;

const TYPE_WIDTH = 20;
const MAX_SHOWN = 200;

/** Reads a line of a file of events; `undefined` if it is not an event. */
export function parseEvent(line: string): FileEvent | undefined {
  try {
    const value = JSON.parse(line) as FileEvent | null;
    return typeof value?.type === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One event as one line, with marked colours: local time, type, and the important fields. */
export function eventLine(event: FileEvent): string {
  const data = (typeof event.data === "object" && event.data !== null ? event.data : {}) as Data;
  const head = `[${localTime(event.timestamp)}] ${clean(event.type).padEnd(TYPE_WIDTH)}`;
  const [colour, text] = describe(event.type, data);
  return `${paint(colour, head)} ${text}`.trimEnd();
}

function describe(type: string, data: Data): [Style, string] {
  switch (type) {
    case "session_start":
      return ["green", [`${word(data.provider)}/${word(data.model)}`, word(data.cwd, "")].join(" ").trim()];
    case "session_end":
      return ["green", `${word(data.reason, "")}${duration(data)}`];
    case "user_input":
      return ["cyan", clean(data.input ?? data.content)];
    case "assistant_message":
      return ["cyan", clean(contentText(data.content))];
    case "api_request":
      return ["blue", `${word(data.messageCount)} messages${iteration(data)}`];
    case "api_response":
      return ["blue", `${word(data.stopReason)}${duration(data)}`];
    case "tool_call_start":
      return [
        "yellow",
        `${word(data.name)} ${paint("dim", `${word(data.toolId, "")} ${clean(data.input)}`.trim())}`,
      ];
    case "tool_call_end":
      return [
        "yellow",
        `${data.isError ? paint("red", "✗") : paint("green", "✓")} ${word(data.name)}${duration(data)}`,
      ];
    case "tool_result":
      return ["yellow", paint("dim", clean(data.result))];
    case "paused":
      return ["magenta", `Agent paused: ${word(data.reason, "pause")}${iteration(data)}`];
    case "resumed":
      return ["magenta", `Agent resumed: ${word(data.reason, "resume")}`];
    case "step_complete":
      return ["magenta", `iteration ${word(data.iteration)}`];
    case "breakpoint_hit":
      return ["magenta", breakpointHit(data)];
    case "error":
      return ["red", `${clean(data.message)}${data.context ? ` (${word(data.context)})` : ""}`];
    case "command_response":
      return [
        "dim",
        `${data.success === false ? `✗ ${word(data.type)}: ${clean(data.error)}` : `✓ ${word(data.type)}`}`,
      ];
    case "command_executed":
      return ["dim", word(data.type)];
    case "context_compaction":
      return ["dim", `${word(data.before)} to ${word(data.after)}`];
    case "gap":
      return ["red", `${word(data.dropped)} events are missing: ${word(data.reason)}`];
    default:
      return ["dim", data.checkpoint === undefined ? "" : word(data.checkpoint)];
  }
}

function breakpointHit(data: Data): string {
  const { id, type, condition } = (data.breakpoint ?? {}) as Data;
  const call = data.toolCall as Data | undefined;
  const where = call
    ? ` ${word(call.name)} ${word(call.toolId, "")} ${clean(call.input)}`
    : ` ${clean(data.message ?? "")}`;
  return `${word(id)} (${word(type)} ${word(condition)})${where}`.trimEnd();
}

const word = (value: unknown, none = "?"): string =>
  typeof value === "string" || typeof value === "number" ? clean(value) : none;
const iteration = (data: Data): string =>
  typeof data.iteration === "number" ? paint("dim", ` #${data.iteration}`) : "";
const duration = (data: Data): string =>
  typeof data.durationMs === "number" ? ` (${Math.round(data.durationMs)}ms)` : "";

/** One line of plain text: what an agent reads and writes can contain anything. */
function clean(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return truncate(
    stripControlCharacters(text.slice(0, MAX_SHOWN * 10))
      .replaceAll(/\s+/g, " ")
      .trim(),
    MAX_SHOWN,
  );
}

function localTime(timestamp: unknown): string {
  const date = new Date(
    typeof timestamp === "string" || typeof timestamp === "number" ? timestamp : Number.NaN,
  );
  return Number.isNaN(date.getTime()) ? "--:--:--" : date.toTimeString().slice(0, 8);
}
