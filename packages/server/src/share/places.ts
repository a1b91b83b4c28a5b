import { parseFrame, stackFrames } from "@debug-bridge/protocol";

/** A place in a script. */
export interface Place {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** Frames of one stack whose code is of interest. */
const MAX_FRAMES = 8;

/** The places that a record's stack names, the innermost first. */
export function placesOf(record: unknown): Place[] {
  const { data } = (record ?? {}) as { data?: { stack?: unknown } | null };
  const stack = data?.stack;
  if (typeof stack !== "string") return [];
  return stackFrames(stack)
    .slice(0, MAX_FRAMES)
    .flatMap((frame) => {
      const { url, line = 0, column = 0 } = parseFrame(frame);
      return url === undefined || line < 1 ? [] : [{ url, line, column }];
    });
}
