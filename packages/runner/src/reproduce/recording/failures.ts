import { splitFrame } from "../../source-maps/stack-frame.js";
import type { Failure, Place } from "./types.js";

/** What a record says went wrong, if it does. */
export function failureOf(type: string, data: unknown, at: number): Failure | undefined {
  const fields = (data ?? {}) as Record<string, unknown>;
  if (type === "error" || type === "unhandledrejection") {
    // A resource that did not load is no error of the code.
    if (fields.resource !== undefined) return undefined;
    const message = plainMessage(String(fields.message ?? fields.reason ?? fields.text ?? ""));
    const place = placeInStack(String(fields.stack ?? "")) ?? ownPlace(fields);
    return { kind: "error", message, at, ...(place ? { place } : {}) };
  }
  if (type !== "console" || (fields.level !== "error" && fields.method !== "assert")) return undefined;
  const args = Array.isArray(fields.args) ? fields.args.map(String).join(" ") : "";
  const message = plainMessage(typeof fields.text === "string" ? fields.text : args);
  const location = fields.location as Place | undefined;
  return { kind: "console", message, at, ...(location ? { place: location } : {}) };
}

/** The first line of a message, without what browsers put before it. */
export function plainMessage(text: string): string {
  const [first = ""] = text.split("\n");
  return first
    .replace(/^Uncaught (?:\(in promise\) )?/, "")
    .replace(/^(?:[A-Z]\w*)?(?:Error|Exception): /, "")
    .trim()
    .slice(0, 1_000);
}

/** Where a stack begins. */
export function placeInStack(stack: string): Place | undefined {
  for (const line of stack.split("\n").slice(0, 50)) {
    const frame = splitFrame(line);
    if (frame) return frame.location;
  }
  return undefined;
}

function ownPlace({ filename, lineno, colno, location }: Record<string, unknown>): Place | undefined {
  if (location) return location as Place;
  if (typeof filename !== "string" || typeof lineno !== "number" || filename === "") return undefined;
  return { url: filename, line: lineno, column: typeof colno === "number" ? colno : 1 };
}

/** Numbers and ids differ from run to run. */
const blurred = (message: string): string => message.replace(/[0-9a-f]{8,}|\d+/gi, "#");

/** Whether two failures are the same: the same message, at the same line of the same file where both are known. */
export function isSameFailure(a: Failure, b: Failure): boolean {
  if (a.kind !== b.kind || blurred(a.message) !== blurred(b.message)) return false;
  if (!a.place || !b.place) return true;
  return pathOf(a.place.url) === pathOf(b.place.url) && a.place.line === b.place.line;
}

/** A development server adds a version to the addresses of modules. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
