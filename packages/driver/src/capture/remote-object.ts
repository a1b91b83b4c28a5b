import type { ConsoleArgument } from "@debug-bridge/protocol";

/** A value of the page as CDP shows it. */
export interface RemoteObject {
  readonly type: string;
  readonly subtype?: string;
  readonly className?: string;
  readonly value?: unknown;
  readonly unserializableValue?: string;
  readonly description?: string;
  readonly objectId?: string;
}

export interface StackTrace {
  readonly callFrames: readonly {
    readonly functionName: string;
    readonly scriptId?: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  }[];
}

const MAX_DESCRIPTION = 4_096;

/** A value that can be read without asking the page; `undefined` when the page must be asked. */
export function toArgument(remote: RemoteObject): ConsoleArgument | undefined {
  const { type, subtype, value, unserializableValue, description } = remote;
  switch (type) {
    case "string":
      return { type: "string", value: String(value) };
    case "undefined":
      return { type: "undefined" };
    case "boolean":
      return { type: "boolean", value: value === true };
    case "number":
    case "bigint":
      return { type: "number", value: unserializableValue ?? Number(value) };
    case "symbol":
      return {
        type: "object",
        className: "Symbol",
        value: (description ?? "Symbol()").slice(0, MAX_DESCRIPTION),
      };
    default:
      return subtype === "null" ? { type: "null" } : undefined;
  }
}

/** Any value by the browser's own description, for when the page cannot be asked. */
export function describedArgument(remote: RemoteObject): ConsoleArgument {
  const known = toArgument(remote);
  if (known) return known;
  const { type, subtype, className } = remote;
  const description = (remote.description ?? type).slice(0, MAX_DESCRIPTION);
  const named = className && className !== "Object" && className !== "Array" ? { className } : {};
  if (subtype === "error")
    return { type: "error", ...named, value: headlineOf(description), stack: description };
  if (type === "function") return { type: "function", value: description };
  if (subtype === "node")
    return { type: "dom", ...named, tagName: description.split(/[#. ]/)[0] ?? "", value: description };
  return { type: subtype === "array" ? "array" : "object", ...named, value: description };
}

/** The first lines of an error's description, without its frames. */
export function headlineOf(description: string): string {
  return description.split("\n    at ")[0] ?? description;
}

/** A stack in the form in which a browser writes it. */
export function stackText(message: string, stack: StackTrace | undefined): string | undefined {
  if (!stack || stack.callFrames.length === 0) return undefined;
  const lines = stack.callFrames.map(({ functionName, url, lineNumber, columnNumber }) => {
    const place = `${url}:${lineNumber + 1}:${columnNumber + 1}`;
    return functionName ? `    at ${functionName} (${place})` : `    at ${place}`;
  });
  return [message, ...lines].join("\n");
}
