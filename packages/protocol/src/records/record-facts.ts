import { fieldsOf } from "./fields.js";
import { type ReadableRecord, type RecordLevel, recordLine } from "./record-line.js";

/**
 * What a record is about, for filters and for the lanes of a time axis. `request` is a request that starts; the record
 * of its end is `network`; `frame` is a message of a WebSocket or an event stream. `dom` is how the page is built, which is frequent and of little interest.
 */
export const RECORD_KINDS = [
  "action",
  "error",
  "network",
  "console",
  "page",
  "state",
  "agent",
  "request",
  "frame",
  "dom",
  "other",
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** From the least to the most serious. */
export const RECORD_LEVELS = ["debug", "info", "action", "warn", "error"] as const satisfies RecordLevel[];

type Facts = { readonly kind: RecordKind; readonly level: RecordLevel };

/** Types whose records all have the same level, whatever their data. */
const FIXED: Readonly<Record<string, Facts>> = {
  command: { kind: "action", level: "action" },
  hello: { kind: "page", level: "info" },
  navigation: { kind: "page", level: "info" },
  passing_text: { kind: "page", level: "info" },
  interaction: { kind: "action", level: "action" },
  picked: { kind: "page", level: "info" },
  recording_start: { kind: "page", level: "info" },
  state_update: { kind: "state", level: "info" },
  dom_mutations: { kind: "dom", level: "debug" },
  dom_snapshot: { kind: "dom", level: "debug" },
  ui_tree: { kind: "dom", level: "debug" },
  ui_tree_delta: { kind: "dom", level: "debug" },
  capabilities: { kind: "dom", level: "debug" },
  vitals: { kind: "dom", level: "debug" },
  gap: { kind: "other", level: "warn" },
};

const KIND_OF_TYPE: Readonly<Record<string, RecordKind>> = {
  command_result: "action",
  error: "error",
  unhandledrejection: "error",
  console: "console",
  edit: "action",
  edit_result: "action",
  server_log: "console",
  dev_server: "page",
};

const NETWORK_KINDS: ReadonlyMap<unknown, RecordKind> = new Map([
  ["request", "request"],
  ["message", "frame"],
]);

/** Events that an agent writes about its own loop. */
const AGENT_TYPE =
  /^(session_(start|end)|user_input|assistant_message|api_(request|response)|tool_(call_start|call_end|result)|subagent_(start|end)|paused|resumed|step_complete|breakpoint_hit|command_(response|executed)|context_compaction|state_snapshot|checkpoint|rewind|branch)$/;

/** Whether records of a timeline can have this type. */
export function isRecordType(type: string): boolean {
  return (
    type === "network" ||
    Object.hasOwn(FIXED, type) ||
    Object.hasOwn(KIND_OF_TYPE, type) ||
    AGENT_TYPE.test(type)
  );
}

/**
 * Kind and level of a record. `data` is asked for only when they depend on it: it may be long.
 *
 * @example recordFacts("network", () => ({ phase: "failed" })) // { kind: "network", level: "error" }
 */
export function recordFacts(type: string, data: () => unknown): Facts {
  if (Object.hasOwn(FIXED, type)) return FIXED[type] as Facts;
  const record = { type, data: data() };
  return { kind: kindOf(record), level: recordLine(record).level };
}

function kindOf({ type, data }: ReadableRecord): RecordKind {
  if (type === "network") return NETWORK_KINDS.get(fieldsOf(data).phase) ?? "network";
  if (Object.hasOwn(KIND_OF_TYPE, type)) return KIND_OF_TYPE[type] as RecordKind;
  return AGENT_TYPE.test(type) ? "agent" : "other";
}
