import type { BuildError } from "@debug-bridge/protocol";
import { withoutColors } from "./plain-text.js";

/** An error in the statistics of webpack or Rspack. */
export interface CompilerError {
  readonly message?: string;
  readonly moduleName?: string;
  /** `6:36-40`, where the error has a place as data. */
  readonly loc?: string;
}

/** What Rspack draws before a message. */
const BULLET = /^[ \t]*(?:[╰├]─▶[ \t]*)?×[ \t]*/;
/** Lines that only announce the message. */
const HEADER = /^(?:Module (?:\w+ failed|Error)\b.*:|\[tsl\] ERROR in .*)?$/;
/** How Rspack marks the place: below the line of the code. */
const MARKED_LINE = /^[ \t]*(\d+) │.*\n[ \t]*·[ \t]*[─┬]/m;
const PLACE = /\((\d+):(\d+)\)/;

/** The message of an error, its place, and the code around it. */
export function compilerError({ message = "", moduleName, loc = "" }: CompilerError): BuildError {
  const text = withoutColors(message);
  // Without a column where Rspack marks the place: it draws tabs as spaces.
  const [line, column] =
    loc.match(/\d+/g) ?? PLACE.exec(text)?.slice(1) ?? MARKED_LINE.exec(text)?.slice(1) ?? [];
  const lines = text.split("\n").filter((each) => !HEADER.test(each.replace(BULLET, "").trim()));
  const [firstLine = text] = lines;
  return {
    message: firstLine.replace(BULLET, "").trim(),
    ...(moduleName ? { file: moduleName.replace(/^.*!/, "").replace(/^\.\//, "") } : {}),
    ...(line ? { line: Number(line) } : {}),
    ...(column ? { column: Number(column) } : {}),
    frame: lines.filter((each) => each !== firstLine && !/^\s+at /.test(each)).join("\n"),
  };
}
