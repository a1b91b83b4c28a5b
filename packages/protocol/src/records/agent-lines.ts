import { contentText } from "./content-text.js";
import { type Fields, fieldsOf, oneLine, textOf, wordOf } from "./fields.js";
import type { LineOf } from "./record-line.js";

const MAX_PAYLOAD = 200;

/** Lines of the events that agents write. */
export const AGENT_LINES: Readonly<Record<string, LineOf>> = {
  session_start: (d) => ({
    level: "info",
    text: `${wordOf(d.provider)}/${wordOf(d.model)} ${wordOf(d.cwd, "")}`.trim(),
  }),
  session_end: (d) => ({ level: "info", text: `${wordOf(d.reason, "")}${duration(d)}`.trim() }),
  user_input: (d) => ({ level: "info", text: payload(d.input ?? d.content) }),
  assistant_message: (d) => ({ level: "info", text: payload(contentText(d.content)) }),
  api_request: (d) => ({ level: "debug", text: `${wordOf(d.messageCount)} messages${iteration(d)}` }),
  api_response: (d) => ({ level: "debug", text: `${wordOf(d.stopReason, tokens(d))}${duration(d)}` }),
  tool_call_start: (d) => ({
    level: "action",
    text: `${subagent(d)}${wordOf(d.name)} ${wordOf(d.toolId, "")} ${payload(d.input)}`,
  }),
  tool_call_end: (d) => ({
    level: d.isError === true ? "error" : "action",
    text: `${d.isError === true ? "✗" : "✓"} ${subagent(d)}${wordOf(d.name)}${exitCode(d)}${duration(d)}`,
  }),
  tool_result: (d) => ({ level: d.isError === true ? "error" : "info", text: payload(d.result) }),
  subagent_start: (d) => ({
    level: "info",
    text: `${wordOf(d.subagent)} ${wordOf(d.subagentId, "")}`.trim(),
  }),
  subagent_end: (d) => ({
    level: "info",
    text: `${wordOf(d.subagent)} ${payload(contentText(d.content))}`.trim(),
  }),
  paused: (d) => ({ level: "warn", text: `Agent paused: ${wordOf(d.reason, "pause")}${iteration(d)}` }),
  resumed: (d) => ({ level: "info", text: `Agent resumed: ${wordOf(d.reason, "resume")}` }),
  step_complete: (d) => ({ level: "info", text: `iteration ${wordOf(d.iteration)}` }),
  breakpoint_hit: (d) => ({ level: "warn", text: breakpointText(d) }),
  error: (d) => ({
    level: "error",
    label: "error",
    text: `${payload(d.message)}${d.context ? ` (${wordOf(d.context)})` : ""}`,
  }),
  command_response: (d) =>
    d.success === false
      ? { level: "error", text: `✗ ${wordOf(d.type)}: ${payload(d.error)}` }
      : { level: "debug", text: `✓ ${wordOf(d.type)}` },
  command_executed: (d) => ({ level: "debug", text: wordOf(d.type) }),
  context_compaction: (d) => ({
    level: "info",
    text: d.before === undefined ? wordOf(d.trigger, "") : `${wordOf(d.before)} to ${wordOf(d.after)}`,
  }),
  state_snapshot: (d) => ({ level: "debug", text: wordOf(d.checkpoint, "") }),
  checkpoint: (d) => ({ level: "info", text: `${wordOf(d.checkpoint)} ${wordOf(d.label, "")}`.trim() }),
  rewind: (d) => ({ level: "warn", text: `to ${wordOf(d.checkpoint)}` }),
  branch: (d) => ({ level: "info", text: `${wordOf(d.checkpoint)} continues in ${wordOf(d.session)}` }),
};

function breakpointText(d: Fields): string {
  const { id, type, condition } = fieldsOf(d.breakpoint);
  const call = fieldsOf(d.toolCall);
  const where =
    d.toolCall === undefined
      ? payload(d.message ?? "")
      : `${subagent(call)}${wordOf(call.name)} ${wordOf(call.toolId, "")} ${payload(call.input)}`;
  return `${wordOf(id)} (${wordOf(type)} ${wordOf(condition)}) ${where}`.trimEnd();
}

/** Which subagent made a call; nothing for the agent itself. */
const subagent = (d: Fields): string => (typeof d.subagent === "string" ? `${wordOf(d.subagent)}: ` : "");
const exitCode = (d: Fields): string => (typeof d.exitCode === "number" ? ` exit code ${d.exitCode}` : "");
const payload = (value: unknown): string => oneLine(textOf(value ?? ""), MAX_PAYLOAD);
const iteration = (d: Fields): string => (typeof d.iteration === "number" ? ` #${d.iteration}` : "");
function tokens(d: Fields): string {
  const { inputTokens, outputTokens } = fieldsOf(d.usage);
  if (typeof inputTokens !== "number" || typeof outputTokens !== "number") return "answered";
  return `${inputTokens.toLocaleString("en")} tokens in, ${outputTokens.toLocaleString("en")} out`;
}
const duration = (d: Fields): string =>
  typeof d.durationMs === "number" ? ` (${Math.round(d.durationMs)}ms)` : "";
