import { CONSOLE_METHODS, type ConsoleMethod } from "../names.js";
import type { AppMessage } from "../schema/app/wire.js";
import type { ConsoleArgument } from "../schema/console/argument.js";
import type { ConsoleEvent } from "../schema/console/wire.js";
import { argumentText, levelOf } from "./console-text.js";
import { formatConsoleArguments } from "./format.js";
import type { ConsoleRecordData, ConsoleRecordType, ConsoleReporter, SourceLocation } from "./record.js";

/** A message of the app wire that reports a console line. */
export type ConsoleAppMessage = Extract<AppMessage, { type: ConsoleRecordType }>;

export function isConsoleMessage(message: AppMessage): message is ConsoleAppMessage {
  const { type } = message;
  return type === "console" || type === "error" || type === "unhandledrejection";
}

const METHODS: ReadonlySet<string> = new Set(CONSOLE_METHODS);

/** The record of a console line that an app sent. `pageUrl` is where the page is now. */
export function fromAppMessage(
  message: ConsoleAppMessage,
  source: ConsoleReporter,
  pageUrl: string | undefined,
): ConsoleRecordData {
  const origin = originOf(pageUrl);
  const shared = {
    ...(message.values ? { values: message.values } : {}),
    source,
    ...(origin === undefined ? {} : { origin }),
    ...defined({ callId: message.callId, chain: message.chain }),
  };
  if (message.type !== "console") return { ...fromErrorMessage(message), ...shared };
  const { level, args, method = level, location, count } = message;
  const values = message.values ?? args.map((value): ConsoleArgument => ({ type: "string", value }));
  return {
    level,
    method,
    text: lineOf(values, args, METHODS.has(method) ? (method as ConsoleMethod) : undefined),
    args,
    ...(location ? { location } : {}),
    ...(count === undefined ? {} : { count }),
    ...shared,
  };
}

type ErrorMessage = Extract<ConsoleAppMessage, { type: "error" | "unhandledrejection" }>;

function fromErrorMessage(error: ErrorMessage): Omit<ConsoleRecordData, "source"> {
  const { type, message, reason, stack, filename, lineno, colno } = error;
  const resource = error.type === "error" ? error.resource : undefined;
  const headline = headlineOf(
    type === "error" ? (message ?? reason ?? stack) : (reason ?? message ?? stack),
    stack,
  );
  const uncaught = type === "error" ? "error" : "rejection";
  const location = filename
    ? { url: filename, line: lineno ?? 0, column: colno ?? 0 }
    : locationOfStack(stack);
  return {
    level: "error",
    method: "error",
    text: resource ? headline : uncaughtText(uncaught, headline),
    args: [headline],
    values: [{ type: "error", value: headline, ...(stack ? { stack } : {}) }],
    ...(location ? { location } : {}),
    ...(stack === undefined ? {} : { stack }),
    ...(resource ? { resource } : { uncaught }),
    ...defined({ message, reason, filename, lineno, colno }),
  };
}

/** What the hub does with a console event of the extension. */
export interface ExtensionLine {
  readonly type: ConsoleRecordType;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly data: ConsoleRecordData;
  /** The same line as a message of the app wire, without what the connection adds. */
  readonly message: object;
}

/** The record of a console line that the extension sent. */
export function fromConsoleEvent({ payload, source, timestamp }: ConsoleEvent): ExtensionLine {
  const { method, args: values, location, stack, uncaught, groupDepth, callId } = payload;
  const args = values.map((value) => argumentText(value));
  const frameUrl = source.frameUrl ?? source.url;
  const origin = originOf(frameUrl);
  const isError = uncaught === "error" || uncaught === "rejection";
  const text = lineOf(values, args, method);
  const thrown = values.find((value) => value.type === "error");
  const ownStack = stack ?? thrown?.stack;
  const place = location ?? (isError ? locationOfStack(ownStack) : undefined);
  const data: ConsoleRecordData = {
    level: uncaught ? "error" : levelOf(method),
    method,
    text: isError ? uncaughtText(uncaught, headlineOf(text, ownStack)) : text,
    args,
    values,
    ...(place ? { location: place } : {}),
    ...(ownStack === undefined ? {} : { stack: ownStack }),
    source: "extension",
    ...(origin === undefined ? {} : { origin }),
    frame: {
      url: frameUrl,
      isTop: source.frameUrl === undefined,
      ...(source.documentId === undefined ? {} : { documentId: source.documentId }),
    },
    tab: { id: source.tabId, url: source.url, title: source.title },
    ...defined({ callId, uncaught, groupDepth }),
  };
  const type = isError ? (uncaught === "error" ? "error" : "unhandledrejection") : "console";
  return { type, at: Date.parse(timestamp), data, message: appMessageOf(type, data) };
}

/** The values as one text. Formatting them is skipped for the many calls that have no format. */
function lineOf(
  values: readonly ConsoleArgument[],
  args: readonly string[],
  method: ConsoleMethod | undefined,
): string {
  const hasFormat = values.some((value) => value.type === "string" && value.value.includes("%"));
  return hasFormat ? formatConsoleArguments(values, method) : args.join(" ");
}

function appMessageOf(type: ConsoleRecordType, data: ConsoleRecordData): object {
  const { level, method, args, location, text, stack, callId } = data;
  const id = callId === undefined ? {} : { callId };
  if (type === "console")
    return {
      ...{ type, level, args, ...id },
      ...(method === level ? {} : { method }),
      ...(location ? { location } : {}),
    };
  const place = location ? { filename: location.url, lineno: location.line, colno: location.column } : {};
  const reported = type === "error" ? { message: text } : { reason: withoutUncaught(text) };
  return { type, ...reported, ...(stack === undefined ? {} : { stack }), ...place, ...id };
}

const UNCAUGHT = /^(?:Uncaught (?:\(in promise\) ?)?)+/;

function withoutUncaught(text: string): string {
  return text.replace(UNCAUGHT, "");
}

/** Adds "Uncaught" once, whether the reporter already added it or not. */
function uncaughtText(kind: "error" | "rejection", text: string): string {
  return `Uncaught ${kind === "rejection" ? "(in promise) " : ""}${withoutUncaught(text)}`;
}

/** The text of an error without its frames. A bare message gets the error's name from the stack. */
function headlineOf(text: string | undefined, stack: string | undefined): string {
  const bare = (text ?? "error").split("\n    at ")[0] as string;
  const named = stack?.split("\n    at ")[0];
  const isNamed = named !== undefined && named !== bare && named.endsWith(`: ${withoutUncaught(bare)}`);
  return isNamed ? named : bare;
}

const FRAME = /(?:^|[\s(@])((?:[a-z][a-z+.-]*:\/\/|\/)[^\s()]*?):(\d{1,9}):(\d{1,9})/;

/** Where the first frame of a stack is. */
function locationOfStack(stack: string | undefined): SourceLocation | undefined {
  for (const line of (stack ?? "").slice(0, 20_000).split("\n")) {
    const found = FRAME.exec(line);
    if (found) return { url: found[1] as string, line: Number(found[2]), column: Number(found[3]) };
  }
  return undefined;
}

/** Origin of an address, without what may be a user and a password. */
export function originOf(url: string | undefined): string | undefined {
  const [, origin] = /^([a-z][a-z+.-]*:\/\/[^/?#]*)/i.exec(url ?? "") ?? [];
  return origin?.replace(/\/\/[^@/]*@/, "//");
}

/** Without the fields that are undefined. */
function defined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
