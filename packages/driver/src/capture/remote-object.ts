/** A value of the page as CDP shows it. */
export interface RemoteObject {
  readonly type: string;
  readonly subtype?: string;
  readonly value?: unknown;
  readonly unserializableValue?: string;
  readonly description?: string;
  readonly objectId?: string;
}

export interface StackTrace {
  readonly callFrames: readonly {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  }[];
}

/** The text of a value that can be read without asking the page; `undefined` when it must be asked. */
export function plainText({
  type,
  subtype,
  value,
  unserializableValue,
  description,
}: RemoteObject): string | undefined {
  if (type === "string") return String(value);
  if (type === "undefined") return "undefined";
  if (subtype === "null") return "null";
  if (type === "number" || type === "boolean") return unserializableValue ?? String(value);
  if (type === "bigint" || type === "symbol") return unserializableValue ?? description ?? type;
  return undefined;
}

/** A stack as a browser would write it. */
export function stackText(message: string, stack: StackTrace | undefined): string | undefined {
  if (!stack || stack.callFrames.length === 0) return undefined;
  const lines = stack.callFrames.map(({ functionName, url, lineNumber, columnNumber }) => {
    const place = `${url}:${lineNumber + 1}:${columnNumber + 1}`;
    return functionName ? `    at ${functionName} (${place})` : `    at ${place}`;
  });
  return [message, ...lines].join("\n");
}
