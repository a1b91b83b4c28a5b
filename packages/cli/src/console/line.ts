import {
  argumentText,
  type ConsoleArgument,
  type ConsoleEvent,
  type ConsoleLevel,
  type ConsoleMethod,
  type ConsoleTelemetry,
  levelOf,
  type TimelineRecord,
} from "@debug-bridge/protocol";

export interface Location {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** One console call, whoever saw it: what the printer needs of it. */
export interface ConsoleLine {
  readonly sessionId: string;
  readonly at: number;
  readonly method: ConsoleMethod;
  readonly level: ConsoleLevel;
  readonly args: readonly ConsoleArgument[];
  /** All arguments as one plain text. */
  readonly plain: string;
  readonly url: string;
  readonly title: string;
  readonly tabId: number | undefined;
  /** Set for what came from a frame inside the page. */
  readonly frameUrl: string | undefined;
  readonly documentId: string | undefined;
  readonly location: Location | undefined;
  readonly groupDepth: number | undefined;
  /** The frames of a `console.trace`. */
  readonly stack: string | undefined;
  readonly uncaught: boolean;
}

/** The record types that hold console lines. */
export const CONSOLE_RECORDS = ["console_event", "console", "error", "unhandledrejection", "gap"] as const;

/** Reads a line out of a record; `undefined` for records of other kinds. */
export function lineOf(record: TimelineRecord): ConsoleLine | undefined {
  const base = { sessionId: record.sessionId, at: Date.parse(record.timestamp) };
  switch (record.type) {
    case "console_event":
      return fromEvent(record.data as ConsoleEvent, base);
    case "console":
      return fromApp(record.data as ConsoleTelemetry, base);
    case "error":
    case "unhandledrejection":
      return fromError(record.data as AppError, base);
    default:
      return undefined;
  }
}

type Base = Pick<ConsoleLine, "sessionId" | "at">;

function fromEvent({ payload, source }: ConsoleEvent, base: Base): ConsoleLine {
  const { method, args, location, groupDepth, stack, uncaught } = payload;
  return {
    ...base,
    method,
    level: uncaught ? "error" : levelOf(method),
    args,
    plain: args.map((arg) => argumentText(arg)).join(" "),
    url: source.url,
    title: source.title,
    tabId: source.tabId,
    frameUrl: source.frameUrl,
    documentId: source.documentId,
    location,
    groupDepth,
    stack,
    uncaught: uncaught !== undefined,
  };
}

const unknownPage = {
  url: "",
  title: "",
  tabId: undefined,
  frameUrl: undefined,
  documentId: undefined,
  groupDepth: undefined,
  stack: undefined,
} as const;

function fromApp({ level, method, args, location }: ConsoleTelemetry, base: Base): ConsoleLine {
  return {
    ...base,
    ...unknownPage,
    method: (method as ConsoleMethod | undefined) ?? level,
    level,
    args: args.map((value) => ({ type: "string", value })),
    plain: args.join(" "),
    location,
    uncaught: false,
  };
}

interface AppError {
  readonly message?: string;
  readonly reason?: string;
  readonly stack?: string;
  readonly filename?: string;
  readonly lineno?: number;
  readonly colno?: number;
}

function fromError({ message, reason, stack, filename, lineno, colno }: AppError, base: Base): ConsoleLine {
  const text = message ?? reason ?? "error";
  return {
    ...base,
    ...unknownPage,
    method: "error",
    level: "error",
    args: [{ type: "error", value: text, ...(stack ? { stack } : {}) }],
    plain: text,
    location: filename ? { url: filename, line: lineno ?? 0, column: colno ?? 0 } : undefined,
    uncaught: true,
  };
}
