import {
  type ConsoleArgument,
  ellipsize,
  type SourceLocation,
  stackFrames,
  type ValuePart,
  valueText,
} from "@debug-bridge/protocol";
import { inPlaceOfLineAbove, link, paint, type Style, visibleLength } from "../terminal/style.js";
import type { ConsoleLine } from "./line.js";
import { formatTable } from "./table.js";

const COLOUR = { error: "red", warn: "yellow", info: "blue", log: "reset" } as const;
const MARK = { error: "✖", warn: "▲", info: "ℹ", log: " " } as const;
const TIME_LENGTH = 12;
const MARK_LENGTH = 2;
const MAX_GROUPS = 20;
const MAX_DEPTH = 4;
const MAX_MEMBERS = 50;
const UNCAUGHT = /^(?:Uncaught (?:\(in promise\) )?)+/;

const COLOUR_OF_PART: Record<ValuePart, Style> = {
  string: "green",
  primitive: "yellow",
  empty: "dim",
  function: "cyan",
  dom: "magenta",
  error: "red",
  text: "blue",
  className: "cyan",
  key: "dim",
  detail: "dim",
};

/** Where lines are shown. */
export interface Screen {
  readonly isTerminal: boolean;
  /** In columns. */
  readonly width: number;
}

export function screenOf({
  isTTY,
  columns = 80,
}: {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}): Screen {
  return { isTerminal: isTTY === true, width: isTTY ? Math.max(40, columns) : Number.POSITIVE_INFINITY };
}

export interface PrinterOptions {
  readonly screen: Screen;
  /** Prints how long each line took from the page to here. */
  readonly latency: boolean;
  readonly now: () => number;
}

/**
 * Turns console lines into text for a terminal. Keeps the state that printing needs: how deep the groups of each tab
 * are, which tabs were seen, and how often the last line came.
 */
export class Printer {
  private readonly depths = new Map<string, number>();
  private readonly pages = new Set<string>();
  private last: { key: string; count: number } | undefined;

  constructor(private readonly options: PrinterOptions) {}

  /** The text to write for a line; empty for calls that only change the state of the console. */
  print(line: ConsoleLine, location: SourceLocation | undefined): string {
    const page = `${line.sessionId} ${line.tabId ?? ""}`;
    this.pages.add(page);
    const depth = this.moveGroup(line);
    if (isSilent(line)) return "";
    if (line.method === "clear") return this.finish(paint("dim", `${this.prefix(line)}console was cleared`));
    if (isGroup(line)) return this.finish(this.render(line, location, depth));
    const { method, args, frameUrl, uncaught } = line;
    const key = JSON.stringify([page, frameUrl, method, uncaught, depth, location, args]);
    if (this.last?.key === key) return this.repeat();
    const ended = this.endRepeats();
    this.last = { key, count: 1 };
    return `${ended}${this.render(line, location, depth)}\n`;
  }

  /** Keeps the state up to date for a line that is not shown. */
  skip(line: ConsoleLine): void {
    this.moveGroup(line);
  }

  /** The line that reports missing events. */
  printGap(text: string): string {
    return this.finish(paint("yellow", `▲ ${text}`));
  }

  /** The text to write when no more lines follow. */
  end(): string {
    return this.endRepeats();
  }

  private render(line: ConsoleLine, location: SourceLocation | undefined, depth: number): string {
    const indent = "│ ".repeat(depth);
    const prefix = this.prefix(line);
    const room = this.options.screen.width - visibleLength(prefix) - MARK_LENGTH - indent.length;
    const mark = paint(COLOUR[line.level], MARK[line.level]);
    const uncaught = line.uncaught ? paint("red", UNCAUGHT.exec(line.plain)?.[0] ?? "") : "";
    const body = `${uncaught}${this.body(line, room)}${this.frames(line.stack)}`;
    const pad = `\n${" ".repeat(TIME_LENGTH + 3)}${paint("dim", indent)}`;
    const suffix = this.suffix(line, location);
    // The location is on the first line, where people look for it.
    const [first = "", ...more] = body.split(/\r\n?|\n/);
    return [`${prefix}${mark} ${paint("dim", indent)}${first}${suffix}`, ...more].join(pad);
  }

  private body(line: ConsoleLine, room: number): string {
    const table = line.method === "table" ? formatTable(line.args[0], room, line.args[1]) : undefined;
    if (table) return `\n${table}`;
    const text = line.args.map((arg) => this.value(arg, line.uncaught, room)).join(" ");
    if (isGroup(line)) return paint("bold", text || "group");
    return line.args.every(({ type }) => type === "string") ? paint(COLOUR[line.level], text) : text;
  }

  private value(argument: ConsoleArgument, isUncaught: boolean, room: number): string {
    const isRepeated = isUncaught && argument.type === "error";
    const shown = isRepeated ? { ...argument, value: argument.value.replace(UNCAUGHT, "") } : argument;
    return valueText(shown, {
      ...{ maxDepth: MAX_DEPTH, maxMembers: MAX_MEMBERS, room, nestedFrames: true },
      paint: (part, text) => paint(COLOUR_OF_PART[part], text),
    });
  }

  private frames(stack: string | undefined): string {
    return stackFrames(stack)
      .map((frame) => `\n    ${paint("dim", frame)}`)
      .join("");
  }

  private prefix(line: ConsoleLine): string {
    const time = paint("dim", clock(line.at));
    return this.pages.size > 1 ? `${time} ${paint("magenta", label(line))} ` : `${time} `;
  }

  private suffix(line: ConsoleLine, location: SourceLocation | undefined): string {
    const { latency, now } = this.options;
    const frame = line.frameUrl ? paint("dim", `  in ${ellipsize(line.frameUrl, 60)}`) : "";
    const took = latency ? paint("dim", `  ${Math.max(0, now() - line.at)} ms`) : "";
    if (!location) return `${frame}${took}`;
    const place = `${shortUrl(location.url)}:${location.line}:${location.column}`;
    return `  ${paint("dim", link(ellipsize(place, 80), oneLine(location.url)))}${frame}${took}`;
  }

  /**
   * The group depth of a line. The reporter sends it, or the groups of each document are counted here, when the
   * reporter also sends their ends.
   */
  private moveGroup(line: ConsoleLine): number {
    const place = `${line.sessionId} ${line.tabId ?? ""} ${line.documentId ?? line.frameUrl ?? ""}`;
    const depth = line.groupDepth ?? this.depths.get(place) ?? 0;
    const after = line.hasGroupEnds ? depthAfter(line, depth) : 0;
    if (after > 0) this.depths.set(place, after);
    else this.depths.delete(place);
    return Math.min(depth, MAX_GROUPS);
  }

  /** On a terminal the counter is rewritten in place; elsewhere it is printed once, at the end. */
  private repeat(): string {
    const last = this.last as { key: string; count: number };
    last.count++;
    if (!this.options.screen.isTerminal) return "";
    const counter = `${" ".repeat(TIME_LENGTH + 3)}${paint("dim", `↻ ${last.count} times`)}\n`;
    return last.count === 2 ? counter : inPlaceOfLineAbove(counter);
  }

  private endRepeats(): string {
    const { last } = this;
    this.last = undefined;
    if (!last || last.count === 1 || this.options.screen.isTerminal) return "";
    return `${" ".repeat(TIME_LENGTH + 3)}↻ ${last.count} times\n`;
  }

  private finish(text: string): string {
    return `${this.endRepeats()}${text}\n`;
  }
}

const isGroup = ({ method }: ConsoleLine): boolean => method === "group" || method === "groupCollapsed";

const COMPLAINT = /^(?:Timer|Count for) '.*' (?:already exists|does not exist)$/s;

/** Calls that only change the state of the console. Warnings about duplicate timers and missing counters are shown. */
function isSilent({ method, plain }: ConsoleLine): boolean {
  return method === "groupEnd" || ((method === "time" || method === "countReset") && !COMPLAINT.test(plain));
}

/** How many groups are open after a line at `depth`. */
function depthAfter(line: ConsoleLine, depth: number): number {
  if (isGroup(line)) return depth + 1;
  if (line.method === "groupEnd") return Math.max(0, depth - 1);
  return line.method === "clear" ? 0 : depth;
}

/** Local time with milliseconds. */
function clock(at: number): string {
  const date = new Date(at);
  const two = (n: number): string => String(n).padStart(2, "0");
  const milliseconds = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${milliseconds}`;
}

/** Which page a line is from, when there are several. */
function label(line: ConsoleLine): string {
  const name = (line.title || line.sessionId).replace(/\s+/g, " ");
  return `[${ellipsize(name, 20)}${line.tabId === undefined ? "" : ` #${line.tabId}`}]`;
}

function shortUrl(url: string): string {
  return oneLine(url)
    .replace(/^https?:\/\/[^/]+\//, "")
    .replace(/\?.*$/, "");
}

const oneLine = (url: string): string => url.replace(/[\r\n\t]/g, "");
