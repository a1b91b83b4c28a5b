import { format } from "node:util";
import { createContext, runInContext } from "node:vm";
import { MAX_LINE } from "./show.js";

const LEVELS = ["log", "info", "warn", "error", "debug"] as const;

/**
 * Compiles the body of an async function and passes what it needs by name. This keeps the scope tidy; what code cannot
 * reach is decided by the process that it runs in.
 */
export function compile(
  code: string,
  names: Readonly<Record<string, unknown>>,
  onLine: (line: string) => void,
): () => Promise<unknown> {
  const print =
    (level: string) =>
    (...args: unknown[]): void =>
      onLine(`${level === "log" ? "" : `${level}: `}${format(...args)}`.slice(0, MAX_LINE));
  const scope = createContext({
    ...names,
    console: Object.fromEntries(LEVELS.map((level) => [level, print(level)])),
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask },
    ...{ URL, URLSearchParams, Buffer, TextEncoder, TextDecoder, AbortController, structuredClone },
  });
  return runInContext(`(async () => {\n${code}\n})`, scope, { filename: "execute.js", lineOffset: -1 });
}
