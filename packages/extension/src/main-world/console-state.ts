import { cut, fixedText, mapDelete, mapGet, mapSet, NativeMap, now, putAt } from "@debug-bridge/page/inert";
import type { ConsoleMethod } from "@debug-bridge/protocol";
import { labelText } from "./label-text.js";

/** What a call prints: its arguments as a reader would see them, and how many groups were open. */
export interface Printed {
  readonly args: readonly unknown[];
  readonly groupDepth: number;
}

const MAX_GROUPS = 1_000;
const LABEL_LENGTH = 1_000;
const MAX_LABELS = 10_000;

/** The memory of one console: open groups, counters and timers. */
export class ConsoleState {
  private groups = 0;
  private readonly counts: Map<unknown, number> = new NativeMap();
  private readonly timers: Map<unknown, number> = new NativeMap();
  private labels = 0;

  /** What a call prints, or `undefined` when it prints nothing. Must see every call, or it forgets what is open. */
  print(method: ConsoleMethod, args: readonly unknown[]): Printed | undefined {
    const groupDepth = this.groups;
    const printed = this.argsOf(method, args);
    return printed && { args: printed, groupDepth };
  }

  /** Keeps groups, counters and timers right for a call that is not reported. */
  track(method: ConsoleMethod, args: readonly unknown[]): void {
    switch (method) {
      case "group":
      case "groupCollapsed":
      case "groupEnd":
      case "clear":
      case "count":
      case "countReset":
      case "time":
      case "timeEnd":
        this.argsOf(method, args);
    }
  }

  private argsOf(method: ConsoleMethod, args: readonly unknown[]): readonly unknown[] | undefined {
    switch (method) {
      case "group":
      case "groupCollapsed":
        if (this.groups < MAX_GROUPS) this.groups++;
        return args;
      case "groupEnd":
        if (this.groups > 0) this.groups--;
        return [];
      case "clear":
        this.groups = 0;
        return [];
      case "count":
        return [this.count(labelOf(args))];
      case "countReset":
        return [this.resetCount(labelOf(args))];
      case "time":
        return [this.startTimer(labelOf(args))];
      case "timeLog":
        return withRest(this.readTimer(labelOf(args)), args);
      case "timeEnd":
        return [this.endTimer(labelOf(args))];
      case "assert":
        return args[0] ? undefined : withRest("Assertion failed", args);
      case "dir":
        // The other arguments only say how a console shows it.
        return args.length > 1 ? [args[0]] : args;
      default:
        return args;
    }
  }

  private count(label: string): string {
    const before = mapGet(this.counts, label);
    if (before === undefined && ++this.labels > MAX_LABELS) return `${label}: ?`;
    const count = (before ?? 0) + 1;
    mapSet(this.counts, label, count);
    return `${label}: ${count}`;
  }

  private resetCount(label: string): string {
    if (mapGet(this.counts, label) === undefined) return `Count for '${label}' does not exist`;
    mapSet(this.counts, label, 0);
    return label;
  }

  private startTimer(label: string): string {
    if (mapGet(this.timers, label) !== undefined) return `Timer '${label}' already exists`;
    if (++this.labels <= MAX_LABELS) mapSet(this.timers, label, now());
    return label;
  }

  private readTimer(label: string): string {
    const started = mapGet(this.timers, label);
    return started === undefined
      ? `Timer '${label}' does not exist`
      : `${label}: ${fixedText(now() - started, 3)} ms`;
  }

  private endTimer(label: string): string {
    const text = this.readTimer(label);
    if (mapDelete(this.timers, label)) this.labels--;
    return text;
  }
}

function labelOf(args: readonly unknown[]): string {
  return args.length === 0 || args[0] === undefined ? "default" : cut(labelText(args[0]), LABEL_LENGTH);
}

/** `first`, then the arguments after the first one. */
function withRest(first: string, args: readonly unknown[]): readonly unknown[] {
  const list: unknown[] = [first];
  for (let i = 1; i < args.length; i++) putAt(list, i, args[i]);
  return list;
}
