import type { CodeLocation } from "./source-maps.js";

/** A line of a stack around the place that it names. */
export interface StackFrame {
  readonly head: string;
  readonly location: CodeLocation;
  readonly tail: string;
}

const SCHEMES = ["http://", "https://", "file://", "webpack-internal://"] as const;

/** The parts of a frame of a stack; `undefined` for other lines. In linear time: pages write what they like there. */
export function splitFrame(line: string): StackFrame | undefined {
  if (!/^\s{0,100}at /.test(line)) return undefined;
  const end = line.endsWith(")") ? line.length - 1 : line.length;
  const place = /:(\d{1,9}):(\d{1,9})$/.exec(line.slice(Math.max(0, end - 20), end));
  if (!place) return undefined;
  // A URL may contain parentheses, as the folders of some frameworks do, but no spaces.
  const word = Math.max(line.lastIndexOf(" "), line.lastIndexOf("\t")) + 1;
  const starts = SCHEMES.map((scheme) => line.indexOf(scheme, word)).filter((at) => at !== -1);
  const start = Math.min(...starts);
  const stop = end - place[0].length;
  if (start >= stop) return undefined;
  return {
    head: line.slice(0, start),
    location: { url: line.slice(start, stop), line: Number(place[1]), column: Number(place[2]) },
    tail: line.slice(end),
  };
}
