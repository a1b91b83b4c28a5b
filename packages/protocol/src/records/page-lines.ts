import type { SourceLocation } from "../console/record.js";
import type { Edit } from "../schema/dev-server.js";
import type { Receipt } from "../schema/receipt.js";
import { countOf, durationOf, type Fields, fieldsOf, oneLine, textOf, wordOf } from "./fields.js";
import { editLine, receiptSummary } from "./receipt-lines.js";
import type { LineOf, RecordLevel, RecordLine } from "./record-line.js";

const MAX_STATE = 300;

/** Lines of records that apps, tabs and launched browsers produce, and of commands sent to them. */
export const PAGE_LINES: Readonly<Record<string, LineOf>> = {
  hello: (d) => ({ level: "info", text: `${wordOf(d.appName, "app")} connected from ${wordOf(d.url)}` }),
  console: consoleLine,
  error: (d) => errorLine("error", d),
  unhandledrejection: (d) => errorLine("unhandledrejection", d),
  network: networkLine,
  navigation: (d) => ({
    level: "info",
    text: `now at ${wordOf(d.to)}${d.from ? ` (from ${wordOf(d.from)})` : ""}`,
  }),
  command: (d) => ({
    level: "action",
    text: [wordOf(d.type), targetText(d), d.client ? `by ${wordOf(d.client)}` : ""].filter(Boolean).join(" "),
  }),
  command_result: resultLine,
  state_update: (d) => ({
    level: "info",
    text: `${wordOf(d.scope)} = ${oneLine(textOf(d.state), MAX_STATE)}`,
  }),
  ui_tree: (d) => ({ level: "debug", text: `${countOf(d.items)} elements` }),
  ui_tree_delta: (d) => ({
    level: "debug",
    text: `+${countOf(d.added)} −${countOf(d.removed)} ~${countOf(d.changed)} elements`,
  }),
  dom_mutations: (d) => ({ level: "debug", text: `${countOf(d.mutations)} mutations` }),
  dom_snapshot: (d) => ({ level: "debug", text: `${wordOf(d.html, "").length} characters of HTML` }),
  vitals: (d) => ({ level: "debug", text: `${wordOf(d.name)} ${Math.round(Number(d.value))}` }),
  passing_text: (d) => ({
    level: "info",
    text: `"${oneLine(wordOf(d.text), MAX_STATE)}" was shown for ${Math.round(Number(d.durationMs))} ms`,
  }),
  interaction: (d) => ({
    level: "action",
    text: [wordOf(d.action), interactionText(d)].filter(Boolean).join(" "),
  }),
  picked: (d) => ({
    level: "info",
    text: [
      `the person picked ${wordOf(d.role)} "${wordOf(d.name, "")}"${d.ref === undefined ? "" : ` (${wordOf(d.ref)})`}`,
      ...(d.source === undefined ? [] : [`from ${wordOf(d.source)}`]),
      oneLine(wordOf(d.html, ""), MAX_STATE),
    ].join(" "),
  }),
  recording_start: (d) => ({ level: "info", text: `recording from ${wordOf(d.url)}` }),
  capabilities: (d) => ({
    level: "debug",
    text: Array.isArray(d.capabilities) ? d.capabilities.map(textOf).join(", ") : "",
  }),
  edit: (d) => ({
    level: d.outcome === "build_error" ? "error" : "action",
    text: editLine(d as Partial<Edit>),
  }),
  edit_result: editResultLine,
  server_log: (d) => ({ level: consoleLevel(wordOf(d.level, "log")), label: "server", text: wordOf(d.text) }),
  dev_server: (d) => ({ level: "info", text: `${wordOf(d.bundler)} serves ${wordOf(d.root)}` }),
  gap: (d) => ({ level: "warn", text: `${wordOf(d.dropped)} events are missing: ${wordOf(d.reason)}` }),
};

function consoleLine(d: Fields): RecordLine {
  const level = wordOf(d.level, "log");
  const args = Array.isArray(d.args) ? d.args.map(textOf).join(" ") : "";
  const times = typeof d.count === "number" && d.count > 1 ? ` (${d.count} times)` : "";
  return {
    level: consoleLevel(level),
    label: `console.${wordOf(d.method, level)}`,
    text: `${wordOf(d.text, args) || (d.method === "groupEnd" ? "(end of group)" : "")}${times}`,
    ...locationOf(d),
  };
}

function consoleLevel(level: string): RecordLevel {
  return level === "error" || level === "warn" ? level : "info";
}

function errorLine(label: string, d: Fields): RecordLine {
  const text = wordOf(d.text ?? d.message ?? d.reason, "error");
  return { level: "error", label, text, ...locationOf(d) };
}

function locationOf(d: Fields): { location?: SourceLocation } {
  const { url, line, column } = fieldsOf(d.location);
  if (typeof url !== "string" || typeof line !== "number") return {};
  return { location: { url, line, column: typeof column === "number" ? column : 0 } };
}

function networkLine(d: Fields): RecordLine {
  const hasFailed = d.phase === "failed" || Number(d.status) >= 400;
  const outcome = d.phase === "request" ? "…" : wordOf(d.status ?? d.error ?? d.phase, "");
  return {
    level: hasFailed ? "error" : "debug",
    text: `${wordOf(d.method)} ${wordOf(d.url)} ${outcome}${durationOf(d.durationMs)}`,
  };
}

function resultLine(d: Fields): RecordLine {
  const name = wordOf(d.requestType, "command");
  if (d.success !== true) {
    const why = [wordOf(d.error, ""), wordOf(d.message, "")].filter(Boolean).join(": ");
    return { level: "error", text: `${name} failed: ${why || "no reason given"}` };
  }
  if (d.receipt === undefined) return { level: "action", text: `${name} done` };
  const effects = receiptSummary(fieldsOf(d.receipt) as unknown as Receipt);
  return { level: "action", text: `${name} done${effects ? `: ${effects}` : ", no effect seen"}` };
}

function editResultLine(d: Fields): RecordLine {
  const receipt = fieldsOf(d.receipt) as unknown as Receipt;
  const line = editLine(fieldsOf(receipt.edit) as Partial<Edit>);
  const effects = receiptSummary(receipt);
  return { level: "action", text: `${line}${effects ? `, ${effects}` : ", no effect seen"}` };
}

/** What a command is about, in the words of its sender. */
function targetText(d: Fields): string {
  const target = fieldsOf(d.target ?? d.source);
  if (target.role !== undefined) return `${wordOf(target.role)} "${wordOf(target.name, "")}"`;
  if (target.text !== undefined) return `"${wordOf(target.text)}"`;
  const { x, y } = fieldsOf(target.point);
  const point = x === undefined ? undefined : `at ${wordOf(x)},${wordOf(y)}`;
  return wordOf(
    target.ref ?? target.id ?? target.selector ?? point ?? d.url ?? d.key ?? d.name ?? d.method,
    "",
  );
}

/** What a person did it to, and with what. */
function interactionText(d: Fields): string {
  const locator = fieldsOf(Array.isArray(d.locators) ? d.locators[0] : undefined);
  const kind = locator.by === "role" ? wordOf(locator.role) : wordOf(locator.by, "");
  const where = kind === "" ? "" : `${kind} "${oneLine(wordOf(locator.value, ""), MAX_STATE)}"`;
  const files = Array.isArray(d.files) ? d.files.map(textOf).join(", ") : "";
  const secret = d.secret === undefined ? "" : `(${wordOf(d.secret)} is not recorded)`;
  const what = secret || oneLine(wordOf(d.value ?? d.key ?? files, ""), MAX_STATE);
  return [where, what === "" ? "" : `: ${what}`].join("").trim();
}
