import type { ConsoleLine, Location } from "./line.js";
import { type Style, visibleLength } from "./style.js";
import { formatTable } from "./table.js";
import { cut, formatValue } from "./value.js";

const COLOUR = { error: "red", warn: "yellow", info: "blue", log: "reset" } as const;
const MARK = { error: "✖", warn: "▲", info: "ℹ", log: " " } as const;
const TIME_LENGTH = 12;
const MARK_LENGTH = 2;

export interface PrinterOptions {
  readonly style: Style;
  /** Prints how long each line took from the page to here. */
  readonly latency: boolean;
  readonly now: () => number;
}

/**
 * Turns console lines into text for a terminal. Keeps what printing needs to know of the past: how deep groups are in
 * each tab, which tabs were seen, and how often the last line came.
 */
export class Printer {
  private readonly depths = new Map<string, number>();
  private readonly pages = new Set<string>();
  private last: { key: string; count: number } | undefined;

  constructor(private readonly options: PrinterOptions) {}

  /** The text to write for a line: nothing for what only changes the state. */
  print(line: ConsoleLine, location: Location | undefined): string {
    const page = `${line.sessionId} ${line.tabId ?? ""}`;
    this.pages.add(page);
    const depth = this.moveGroup(line);
    if (isSilent(line)) return "";
    if (line.method === "clear")
      return this.finish(this.options.style.paint("dim", `${this.prefix(line)}console was cleared`));
    if (isGroup(line)) return this.finish(this.render(line, location, depth));
    const { method, args, frameUrl, uncaught } = line;
    const key = JSON.stringify([page, frameUrl, method, uncaught, depth, location, args]);
    if (this.last?.key === key) return this.repeat();
    const ended = this.endRepeats();
    this.last = { key, count: 1 };
    return `${ended}${this.render(line, location, depth)}\n`;
  }

  /** Takes note of a line that is not to be shown. */
  pass(line: ConsoleLine): void {
    this.moveGroup(line);
  }

  /** What is missing, said where it is missing. */
  printGap(dropped: number, reason: string): string {
    return this.finish(this.options.style.paint("yellow", `▲ ${dropped} events are missing: ${reason}`));
  }

  /** What is still to be said when nothing follows. */
  end(): string {
    return this.endRepeats();
  }

  private render(line: ConsoleLine, location: Location | undefined, depth: number): string {
    const { style } = this.options;
    const indent = "│ ".repeat(depth);
    const prefix = this.prefix(line);
    const room = style.width - visibleLength(prefix) - MARK_LENGTH - indent.length;
    const mark = style.paint(COLOUR[line.level], MARK[line.level]);
    const uncaught = line.uncaught ? style.paint("red", "Uncaught ") : "";
    const body = `${uncaught}${this.body(line, room)}${this.frames(line.stack)}`;
    const pad = `\n${" ".repeat(TIME_LENGTH + 3)}${style.paint("dim", indent)}`;
    const suffix = this.suffix(line, location);
    // The place stands on the first line, where the eye looks for it.
    const [first = "", ...more] = body.split(/\r\n?|\n/);
    return [`${prefix}${mark} ${style.paint("dim", indent)}${first}${suffix}`, ...more].join(pad);
  }

  private body(line: ConsoleLine, room: number): string {
    const { style } = this.options;
    const table = line.method === "table" ? formatTable(line.args[0], room, line.args[1]) : undefined;
    if (table) return `\n${table}`;
    const text = line.args.map((arg) => formatValue(arg, style, room)).join(" ");
    if (isGroup(line)) return style.paint("bold", text || "group");
    return line.args.every(({ type }) => type === "string") ? style.paint(COLOUR[line.level], text) : text;
  }

  private frames(stack: string | undefined): string {
    const frames = (stack ?? "").split("\n").filter((frame) => /^\s*at /.test(frame));
    return frames.map((frame) => `\n    ${this.options.style.paint("dim", frame.trim())}`).join("");
  }

  private prefix(line: ConsoleLine): string {
    const { style } = this.options;
    const time = style.paint("dim", clock(line.at));
    return this.pages.size > 1 ? `${time} ${style.paint("magenta", label(line))} ` : `${time} `;
  }

  private suffix(line: ConsoleLine, location: Location | undefined): string {
    const { style, latency, now } = this.options;
    const frame = line.frameUrl ? style.paint("dim", `  in ${cut(line.frameUrl, 60)}`) : "";
    const took = latency ? style.paint("dim", `  ${Math.max(0, now() - line.at)} ms`) : "";
    if (!location) return `${frame}${took}`;
    const place = `${shortUrl(location.url)}:${location.line}:${location.column}`;
    return `  ${style.paint("dim", style.link(cut(place, 80), oneLine(location.url)))}${frame}${took}`;
  }

  /**
   * Depth at which this line stands. The page says it, or the groups are counted here: those of each document, since
   * they end with it.
   */
  private moveGroup(line: ConsoleLine): number {
    const place = `${line.sessionId} ${line.tabId ?? ""} ${line.documentId ?? line.frameUrl ?? ""}`;
    const depth = line.groupDepth ?? this.depths.get(place) ?? 0;
    const after = depthAfter(line, depth);
    if (after > 0) this.depths.set(place, after);
    else this.depths.delete(place);
    return Math.min(depth, 20);
  }

  /** On a terminal the counter is rewritten in place; elsewhere it is said once, at the end. */
  private repeat(): string {
    const last = this.last as { key: string; count: number };
    last.count++;
    const { style } = this.options;
    if (!style.isTerminal) return "";
    const counter = `${" ".repeat(TIME_LENGTH + 3)}${style.paint("dim", `↻ ${last.count} times`)}\n`;
    return last.count === 2 ? counter : `\u001b[1A\u001b[2K${counter}`;
  }

  private endRepeats(): string {
    const { last } = this;
    this.last = undefined;
    if (!last || last.count === 1 || this.options.style.isTerminal) return "";
    return `${" ".repeat(TIME_LENGTH + 3)}↻ ${last.count} times\n`;
  }

  private finish(text: string): string {
    return `${this.endRepeats()}${text}\n`;
  }
}

const isGroup = ({ method }: ConsoleLine): boolean => method === "group" || method === "groupCollapsed";

const COMPLAINT = /^(?:Timer|Count for) '.*' (?:already exists|does not exist)$/s;

/** What only changes the state of the console. A timer that runs already, or a counter that is not there, is said. */
function isSilent({ method, plain }: ConsoleLine): boolean {
  return method === "groupEnd" || ((method === "time" || method === "countReset") && !COMPLAINT.test(plain));
}

/** How many groups are open after a line that stands at `depth`. */
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

/** Which page a line is from, where there are several. */
function label(line: ConsoleLine): string {
  const name = (line.title || line.sessionId).replace(/\s+/g, " ");
  return `[${cut(name, 20)}${line.tabId === undefined ? "" : ` #${line.tabId}`}]`;
}

function shortUrl(url: string): string {
  return oneLine(url)
    .replace(/^https?:\/\/[^/]+\//, "")
    .replace(/\?.*$/, "");
}

const oneLine = (url: string): string => url.replace(/[\r\n\t]/g, "");
