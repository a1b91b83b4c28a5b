import { type Breakpoint, type BreakpointSpec, BridgeError } from "@debug-bridge/protocol";
import { jsonOf } from "../session/event-writer.js";
import { type Condition, parseCondition } from "./condition.js";
import type { Moment } from "./breakpoint-context.js";
import { Pattern } from "./pattern.js";

/** More than anyone sets by hand; each costs time at every stop. */
const MAX_BREAKPOINTS = 1_000;

interface Entry {
  readonly id: string;
  readonly spec: BreakpointSpec;
  readonly condition: Condition | undefined;
  readonly pattern: Pattern | undefined;
  enabled: boolean;
  hits: number;
}

/** Breakpoints as they are kept between processes. */
export interface SavedBreakpoints {
  readonly added: number;
  readonly list: readonly Breakpoint[];
}

/** The breakpoints of one session. */
export class Breakpoints {
  private entries: Entry[] = [];
  private added = 0;

  /** `report` is told of a breakpoint that had to be switched off. */
  constructor(private readonly report: (message: string) => void) {}

  add(spec: BreakpointSpec): Breakpoint {
    if (this.entries.length >= MAX_BREAKPOINTS) {
      throw new BridgeError("rate_limit", `there are ${MAX_BREAKPOINTS} breakpoints; clear some first`);
    }
    const regex = "regex" in spec ? spec.regex : undefined;
    const entry: Entry = {
      id: `bp-${this.added + 1}`,
      spec,
      condition: spec.condition === undefined ? undefined : parseCondition(spec.condition),
      pattern: regex === undefined ? undefined : Pattern.checked(regex),
      enabled: true,
      hits: 0,
    };
    this.added++;
    this.entries.push(entry);
    return shown(entry);
  }

  list(): Breakpoint[] {
    return this.entries.map(shown);
  }

  clear(id: string): Breakpoint {
    const entry = this.find(id);
    this.entries = this.entries.filter((other) => other !== entry);
    return shown(entry);
  }

  /** Removes all; tells how many there were. */
  clearAll(): number {
    const { length } = this.entries;
    this.entries = [];
    return length;
  }

  setEnabled(id: string, enabled: boolean): Breakpoint {
    const entry = this.find(id);
    entry.enabled = enabled;
    return shown(entry);
  }

  /** Whether any breakpoint waits for events, so that the others cost no time at each of them. */
  get watchEvents(): boolean {
    return this.entries.some(({ spec, enabled }) => enabled && spec.on === "event");
  }

  /** The types of events that breakpoints wait for. */
  get eventTypes(): string[] {
    return this.entries.flatMap(({ spec, enabled }) => (enabled && spec.on === "event" ? spec.event : []));
  }

  /** The breakpoint at which the agent stops now. Every one that matches counts the hit. */
  hit(moment: Moment): { breakpoint: Breakpoint; deadlineMs: number | undefined } | undefined {
    let stop: Entry | undefined;
    for (const entry of this.entries) {
      if (!entry.enabled || !this.matches(entry, moment)) continue;
      entry.hits++;
      if (entry.hits >= (entry.spec.hitCount ?? 1)) stop ??= entry;
    }
    if (!stop) return undefined;
    if (stop.spec.once) this.entries = this.entries.filter((entry) => entry !== stop);
    return { breakpoint: shown(stop), deadlineMs: stop.spec.deadlineMs };
  }

  save(): SavedBreakpoints {
    return { added: this.added, list: this.list() };
  }

  restore(saved: SavedBreakpoints): void {
    this.added = saved.added;
    this.entries = saved.list.flatMap(({ id, spec, enabled, hits }) => {
      if (!spec) return [];
      const regex = "regex" in spec ? spec.regex : undefined;
      return {
        id,
        spec,
        condition: spec.condition === undefined ? undefined : parseCondition(spec.condition),
        // It was tried when it was added.
        pattern: regex === undefined ? undefined : new Pattern(regex),
        enabled: enabled ?? true,
        hits: hits ?? 0,
      };
    });
  }

  private matches(entry: Entry, moment: Moment): boolean {
    try {
      return isMeant(entry, moment) && (entry.condition?.(moment) ?? true);
    } catch (thrown) {
      entry.enabled = false;
      this.report(`${(thrown as Error).message}; breakpoint ${entry.id} is disabled`);
      return false;
    }
  }

  private find(id: string): Entry {
    const entry = this.entries.find((one) => one.id === id);
    if (entry) return entry;
    const there = this.entries.map((one) => one.id).join(", ") || "none";
    throw new BridgeError("target_not_found", `there is no breakpoint "${id}"; there are: ${there}`);
  }
}

function isMeant({ spec, pattern }: Entry, moment: Moment): boolean {
  switch (spec.on) {
    case "tool":
      return moment.at === "tool" && moment.name === spec.name;
    case "iteration":
      return moment.at === "model" && moment.iteration === spec.count;
    case "pattern":
      return moment.at === "tool" && pattern?.test(jsonOf(moment.input) ?? "") === true;
    case "error":
      return moment.at === "error";
    case "event":
      return (
        moment.at === "event" &&
        moment.event === spec.event &&
        (spec.session === undefined || spec.session === moment.session) &&
        (pattern === undefined || pattern.test(jsonOf(moment.data) ?? ""))
      );
  }
}

function shown({ id, spec, enabled, hits }: Entry): Breakpoint {
  return { id, type: spec.on, condition: subjectOf(spec), enabled, hits, spec };
}

function subjectOf(spec: BreakpointSpec): string | number {
  switch (spec.on) {
    case "tool":
      return spec.name;
    case "iteration":
      return spec.count;
    case "pattern":
      return spec.regex;
    case "error":
      return "error";
    case "event":
      return spec.event;
  }
}
