import type { ConsoleLevel } from "../names.js";
import type { ChainStep } from "../schema/app/chain.js";
import type { ConsoleArgument } from "../schema/console/argument.js";

/** What captured a console line: the SDK in the app, the extension in a tab, or the browser itself over CDP. */
export type ConsoleReporter = "sdk" | "extension" | "cdp";

export interface SourceLocation {
  readonly url: string;
  readonly line: number;
  readonly column: number;
  readonly functionName?: string;
}

/**
 * `data` of a `console`, `error` or `unhandledrejection` record: one console line, in one shape whatever captured it.
 * Records of the types `error` and `unhandledrejection` also keep the fields of their message on the app wire.
 */
export interface ConsoleRecordData {
  readonly level: ConsoleLevel;
  /** The console method, or `browser:<source>` for what the browser itself logs. */
  readonly method: string;
  /** All arguments as one text, with format specifiers applied; "Uncaught" once where it applies. */
  readonly text: string;
  /** The arguments as strings, as on the app wire. */
  readonly args: readonly string[];
  /** The arguments as data, with format specifiers not applied. Absent when the reporter sent only strings. */
  readonly values?: readonly ConsoleArgument[];
  readonly location?: SourceLocation;
  readonly stack?: string;
  readonly source: ConsoleReporter;
  /** Origin of the page, such as `http://localhost:3000`. */
  readonly origin?: string;
  /** The document that the line is from. */
  readonly frame?: { readonly url: string; readonly isTop: boolean; readonly documentId?: string };
  /** The tab, when the extension reported the line. */
  readonly tab?: { readonly id: number; readonly url: string; readonly title: string };
  /** Identity of the call: two reporters of the same call send the same one. */
  readonly callId?: string;
  /** How the code that reported it came to run; only while chains are kept. */
  readonly chain?: readonly ChainStep[];
  /** Set for uncaught errors, and for what the browser itself logs. */
  readonly uncaught?: "error" | "rejection" | "browser";
  /** How many groups were open at the call. */
  readonly groupDepth?: number;
  /** How many times the same line came in a row. */
  readonly count?: number;
  /** Fields of `error` and `unhandledrejection` on the app wire. */
  readonly message?: string;
  readonly reason?: string;
  readonly filename?: string;
  readonly lineno?: number;
  readonly colno?: number;
  readonly resource?: { readonly tag: string; readonly url: string };
}

/** Record types whose data is a `ConsoleRecordData`. */
export const CONSOLE_RECORD_TYPES = ["console", "error", "unhandledrejection"] as const;
export type ConsoleRecordType = (typeof CONSOLE_RECORD_TYPES)[number];

/** The arguments as data; strings when the reporter sent nothing else. */
export function valuesOf({ values, args }: ConsoleRecordData): readonly ConsoleArgument[] {
  return values ?? args.map((value) => ({ type: "string", value }));
}
