import type { BuildError } from "@debug-bridge/protocol";
import { withoutColors } from "../builds/plain-text.js";

/** The path of the socket on which Next.js notifies pages of updates; the second in versions before 16.3. */
export const HMR_PATHS = ["/_next/hmr", "/_next/webpack-hmr"] as const;

/** An error in a message: Turbopack has everything in its text. */
export interface HmrError {
  readonly message?: string;
  readonly moduleName?: string;
  readonly loc?: string;
}

/** What Next.js says to pages, as far as it is used here. */
interface HmrMessage {
  readonly type?: unknown;
  /** The name of the same in versions before 16. */
  readonly action?: unknown;
  readonly errors?: readonly HmrError[];
}

/** What a message means for those who follow edits. */
export type HmrEvent =
  | { readonly kind: "turbopack" | "building" | "reload" }
  /** `isOfServer`: pages ask the server to render again. */
  | { readonly kind: "update"; readonly isOfServer: boolean }
  | { readonly kind: "built"; readonly errors: readonly HmrError[] };

const KINDS: Readonly<Record<string, "turbopack" | "building" | "update" | "reload">> = {
  "turbopack-connected": "turbopack",
  building: "building",
  "turbopack-message": "update",
  serverComponentChanges: "update",
  clientChanges: "update",
  serverOnlyChanges: "update",
  middlewareChanges: "update",
  addedPage: "update",
  removedPage: "update",
  reloadPage: "reload",
};

/** Reads a message of the socket. Binary ones are about React's own debugging. */
export function readHmr(data: unknown): HmrEvent | undefined {
  if (typeof data !== "string") return undefined;
  let message: HmrMessage;
  try {
    message = JSON.parse(data) as HmrMessage;
  } catch {
    return undefined;
  }
  const type = String(message?.type ?? message?.action);
  if (type === "built") return { kind: "built", errors: message.errors ?? [] };
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (kind === "update") return { kind, isOfServer: type === "serverComponentChanges" };
  return kind && { kind };
}

/**
 * Distinguishes the messages that end a build from the others. webpack runs one compiler for pages and one for the server: what the first says
 * by itself, without that a build began, is no end.
 */
export class HmrBuilds {
  private isTurbopack = false;
  private hasStarted = false;

  /** Whether something happened, and whether that was all of it. */
  next(event: HmrEvent): { readonly isUpdate: boolean; readonly isEnd: boolean } {
    if (event.kind === "turbopack") {
      this.isTurbopack = true;
      return { isUpdate: false, isEnd: false };
    }
    if (event.kind !== "built") {
      const begins = !this.isTurbopack || event.kind !== "building";
      if (begins) this.hasStarted = true;
      return { isUpdate: begins, isEnd: event.kind === "reload" };
    }
    const isEnd = this.isTurbopack || this.hasStarted;
    const isUpdate = this.hasStarted;
    this.hasStarted = false;
    return { isUpdate, isEnd };
  }
}

/** `./app/page.tsx:7:13`, the first line of an error of Turbopack. */
const TURBOPACK_PLACE = /^(?:\.\/)?(\S+?):(\d+):(\d+)$/;
/** `,-[/shop/app/page.tsx:7:1]`, above the lines of an error of the compiler that webpack uses. */
const COMPILER_PLACE = /[-─]\[(\S{1,300}):(\d{1,9}):(\d{1,9})\]/;
const GENERAL = /^Module build failed/;

/** An error of a build as the hub takes it. */
export function hmrBuildError({ message = "", moduleName, loc }: HmrError): BuildError {
  const lines = withoutColors(message).split("\n");
  const place = TURBOPACK_PLACE.exec(lines[0] ?? "") ?? COMPILER_PLACE.exec(lines.slice(0, 4).join("\n"));
  const rest = lines.filter(
    (line) => line.trim() !== "" && !TURBOPACK_PLACE.test(line) && !GENERAL.test(line),
  );
  const [firstLine = "", ...frame] = rest;
  const [, file = moduleName, line, column] = place ?? [undefined, undefined, ...(loc?.match(/\d+/g) ?? [])];
  return {
    message: firstLine.replace(/^(?:Error:)?\s*x?\s+/, "").replace(/^Error: /, ""),
    ...(file ? { file: file.replace(/^\.\//, "") } : {}),
    ...(line ? { line: Number(line) } : {}),
    ...(column ? { column: Number(column) } : {}),
    ...(frame.length > 0 ? { frame: frame.join("\n") } : {}),
  };
}
