import {
  applyFormat,
  CONSOLE_METHODS,
  CONSOLE_RECORD_TYPES,
  type ConsoleArgument,
  type ConsoleLevel,
  type ConsoleMethod,
  type ConsoleRecordData,
  type ConsoleRecordType,
  type SourceLocation,
  type TimelineRecord,
  valuesOf,
} from "@debug-bridge/protocol";

/** One console call: what filters and the printer need of its record. */
export interface ConsoleLine {
  readonly sessionId: string;
  readonly at: number;
  readonly method: string;
  readonly level: ConsoleLevel;
  /** The arguments, with format specifiers applied. */
  readonly args: readonly ConsoleArgument[];
  /** All arguments as one plain text. */
  readonly plain: string;
  readonly url: string;
  readonly title: string;
  readonly tabId: number | undefined;
  /** Set for lines of a frame inside the page. */
  readonly frameUrl: string | undefined;
  readonly documentId: string | undefined;
  readonly location: SourceLocation | undefined;
  readonly groupDepth: number | undefined;
  /** Whether the reporter also sends the ends of groups, so that they can be counted. */
  readonly hasGroupEnds: boolean;
  /** The frames of a `console.trace`. */
  readonly stack: string | undefined;
  readonly uncaught: boolean;
  readonly callId: string | undefined;
}

/** The record types that `console` shows. */
export const CONSOLE_RECORDS = [...CONSOLE_RECORD_TYPES, "gap"] as const;

const METHODS: ReadonlySet<string> = new Set(CONSOLE_METHODS);

/** Reads the console line of a record; `undefined` for records of other kinds. */
export function lineOf(record: TimelineRecord): ConsoleLine | undefined {
  if (!CONSOLE_RECORD_TYPES.includes(record.type as ConsoleRecordType)) return undefined;
  const data = record.data as Partial<ConsoleRecordData> | null;
  // Agents also have events of the type `error`; they are not console lines.
  if (data?.source === undefined || data.level === undefined || !Array.isArray(data.args)) return undefined;
  return fromData(data as ConsoleRecordData, record);
}

function fromData(data: ConsoleRecordData, { sessionId, timestamp }: TimelineRecord): ConsoleLine {
  const { method, level, tab, frame, uncaught, source } = data;
  const known = METHODS.has(method) ? (method as ConsoleMethod) : undefined;
  return {
    sessionId,
    at: Date.parse(timestamp),
    method,
    level,
    args: applyFormat(valuesOf(data), known),
    plain: data.text,
    url: tab?.url ?? frame?.url ?? data.origin ?? "",
    title: tab?.title ?? "",
    tabId: tab?.id,
    frameUrl: frame?.isTop === false ? frame.url : undefined,
    documentId: frame?.documentId,
    location: data.location,
    groupDepth: data.groupDepth,
    // Older SDKs send strings alone, and no ends.
    hasGroupEnds: source !== "sdk" || data.values !== undefined,
    stack: method === "trace" ? data.stack : undefined,
    uncaught: uncaught === "error" || uncaught === "rejection",
    callId: data.callId,
  };
}
