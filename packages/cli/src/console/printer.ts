import type { ConsoleLine, Location } from "./line.js";
import { type Style, visibleLength } from "./style.js";
import { formatTable } from "./table.js";
import { cut, formatValue } from "./value.js";

const COLOUR = { error: "red", warn: "yellow", info: "blue", log: "reset" } as const;
const MARK = { error: "✖", warn: "▲", info: "ℹ", log: " " } as const;
const TIME_LENGTH = 12;

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
    const depth = this.moveGroup(page, line);
    if (line.method === "groupEnd" || line.method === "countReset" || line.method === "time") return "";
    if (line.method === "clear")
      return this.finish(this.options.style.paint("dim", `${this.prefix(line)}console was cleared`));
    const key = `${page} ${line.method} ${line.plain} ${location?.url}:${location?.line}`;
    if (this.last?.key === key) return this.repeat();
    const ended = this.endRepeats();
    this.last = { key, count: 1 };
    return `${ended}${this.render(line, location, depth)}\n`;
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
    const room = style.width - visibleLength(prefix) - indent.length;
    const mark = style.paint(COLOUR[line.level], MARK[line.level]);
    const uncaught = line.uncaught ? style.paint("red", "Uncaught ") : "";
    const body = `${uncaught}${this.body(line, room)}${this.frames(line.stack)}`;
    const pad = `\n${" ".repeat(TIME_LENGTH + 3)}${style.paint("dim", indent)}`;
    const suffix = this.suffix(line, location);
    // The place stands on the first line, where the eye looks for it.
    const [first = "", ...more] = body.split("\n");
    return [`${prefix}${mark} ${style.paint("dim", indent)}${first}${suffix}`, ...more].join(pad);
  }

  private body(line: ConsoleLine, room: number): string {
    const { style } = this.options;
    const table = line.method === "table" ? formatTable(line.args[0], room) : undefined;
    if (table) return `\n${table}`;
    const text = line.args.map((arg) => formatValue(arg, style, room)).join(" ");
    if (line.method === "group" || line.method === "groupCollapsed")
      return style.paint("bold", text || "group");
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
    return `  ${style.paint("dim", style.link(cut(place, 80), location.url))}${frame}${took}`;
  }

  /** Depth at which this line stands. The page says it, or the groups are counted here. */
  private moveGroup(page: string, line: ConsoleLine): number {
    const depth = line.groupDepth ?? this.depths.get(page) ?? 0;
    if (line.method === "group" || line.method === "groupCollapsed") this.depths.set(page, depth + 1);
    else if (line.method === "groupEnd") this.depths.set(page, Math.max(0, depth - 1));
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

/** Local time with milliseconds. */
function clock(at: number): string {
  const date = new Date(at);
  const two = (n: number): string => String(n).padStart(2, "0");
  const milliseconds = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${milliseconds}`;
}

/** Which page a line is from, where there are several. */
function label(line: ConsoleLine): string {
  const name = line.title || line.sessionId;
  return `[${cut(name, 20)}${line.tabId === undefined ? "" : ` #${line.tabId}`}]`;
}

function shortUrl(url: string): string {
  return url.replace(/^https?:\/\/[^/]+\//, "").replace(/\?.*$/, "");
}
