import { type ConsoleArgument, recordLine, type TimelineRecord } from "@debug-bridge/protocol";
import { SourceMaps } from "@debug-bridge/runner/source-maps";
import { printJson, printText } from "../terminal/output.js";
import type { Filter } from "./filter.js";
import { type ConsoleLine, lineOf } from "./line.js";
import { Printer, type Screen } from "./printer.js";

/** How long a line waits for its source map. */
const MAP_TIMEOUT_MS = 400;
/** Calls that two sessions may both report are remembered for this many lines. */
const MAX_CALLS = 2_048;

export interface ConsoleViewOptions {
  readonly filters: readonly Filter[];
  readonly json: boolean;
  readonly latency: boolean;
  readonly screen: Screen;
}

/** Shows console records in order, each with its location in the sources. */
export class ConsoleView {
  readonly latencies: number[] = [];
  private readonly printer: Printer;
  private readonly maps = new SourceMaps();
  private readonly calls = new Set<string>();

  constructor(private readonly options: ConsoleViewOptions) {
    this.printer = new Printer({ screen: options.screen, latency: options.latency, now: Date.now });
  }

  async record(record: TimelineRecord): Promise<void> {
    if (record.type === "gap") {
      this.gap(record);
      return;
    }
    const line = lineOf(record);
    if (!line || this.wasShown(line)) return;
    if (!this.options.filters.every((wanted) => wanted(line))) {
      this.printer.skip(line);
      return;
    }
    if (this.options.latency) this.latencies.push(Math.max(0, Date.now() - line.at));
    const [mapped, location] = await this.map(line);
    if (this.options.json) void printJson({ ...record, ...(location ? { location } : {}) });
    else printText(this.printer.print(mapped, location));
  }

  end(): void {
    printText(this.printer.end());
  }

  private gap(record: TimelineRecord): void {
    if (this.options.json) void printJson(record);
    else printText(this.printer.printGap(recordLine(record).text));
  }

  /**
   * Whether this call was shown before. The SDK's session and the tab's session both have it when the SDK connected
   * late; it has the same id in both.
   */
  private wasShown({ callId }: ConsoleLine): boolean {
    if (callId === undefined) return false;
    if (this.calls.has(callId)) return true;
    this.calls.add(callId);
    if (this.calls.size > MAX_CALLS) this.calls.delete(this.calls.values().next().value as string);
    return false;
  }

  private async map(line: ConsoleLine): Promise<[ConsoleLine, ConsoleLine["location"]]> {
    const late = new Promise<undefined>((resolve) =>
      setTimeout(() => resolve(undefined), MAP_TIMEOUT_MS).unref(),
    );
    const page = line.frameUrl ?? line.url;
    const work = Promise.all([
      Promise.all(line.args.map((arg) => this.mapArgument(arg, page))),
      line.location ? this.maps.locate(line.location, page) : undefined,
      line.stack ? this.maps.mapStack(line.stack, page) : undefined,
    ]);
    const done = await Promise.race([work, late]);
    return done ? [{ ...line, args: done[0], stack: done[2] }, done[1]] : [line, line.location];
  }

  /** Maps the stacks of all errors in an argument: causes, and errors inside objects and arrays. */
  private async mapArgument(argument: ConsoleArgument, page: string): Promise<ConsoleArgument> {
    if (argument.type === "error") {
      const { stack, cause } = argument;
      return {
        ...argument,
        ...(stack ? { stack: await this.maps.mapStack(stack, page) } : {}),
        ...(cause ? { cause: await this.mapArgument(cause, page) } : {}),
      };
    }
    if ((argument.type !== "array" && argument.type !== "object") || !holdsError(argument)) return argument;
    if (typeof argument.value === "string") return argument;
    const mapped = await Promise.all(
      Object.entries(argument.value).map(
        async ([key, member]): Promise<[string, ConsoleArgument]> => [
          key,
          await this.mapArgument(member, page),
        ],
      ),
    );
    return argument.type === "array"
      ? { ...argument, value: mapped.map(([, member]) => member) }
      : { ...argument, value: Object.fromEntries(mapped) };
  }
}

function holdsError(argument: ConsoleArgument): boolean {
  if (argument.type === "error") return true;
  if (argument.type !== "array" && argument.type !== "object") return false;
  return typeof argument.value !== "string" && Object.values(argument.value).some(holdsError);
}
