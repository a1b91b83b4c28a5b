import { type Breakpoint, type BreakpointSpec, BridgeError } from "@debug-bridge/protocol";
import { jsonOf } from "../session/event-writer.js";
import type { BreakpointContext } from "./breakpoint-context.js";
import { type Condition, parseCondition } from "./condition.js";
import { Pattern } from "./pattern.js";

/** Each breakpoint costs time at every check. */
const MAX_BREAKPOINTS = 1_000;

interface Entry {
  readonly id: string;
  readonly spec: BreakpointSpec;
  readonly condition: Condition | undefined;
  readonly pattern: Pattern | undefined;
  readonly group: string | undefined;
  enabled: boolean;
  hits: number;
}

/** Breakpoints as they are saved between processes. */
export interface SavedBreakpoints {
  readonly added: number;
  readonly list: readonly Breakpoint[];
}

/** The breakpoints of one session. */
export class Breakpoints {
  private entries: Entry[] = [];
  private added = 0;

  /** `report` receives a message when a breakpoint had to be disabled. */
  constructor(private readonly report: (message: string) => void) {}

  add(spec: BreakpointSpec, group?: string): Breakpoint {
    if (this.entries.length >= MAX_BREAKPOINTS) {
      throw new BridgeError(
        "rate_limit",
        `the limit of ${MAX_BREAKPOINTS} breakpoints is reached; clear some first`,
      );
    }
    const regex = "regex" in spec ? spec.regex : undefined;
    const entry: Entry = {
      id: `bp-${this.added + 1}`,
      spec,
      condition: spec.condition === undefined ? undefined : parseCondition(spec.condition),
      pattern: regex === undefined ? undefined : Pattern.checked(regex),
      group,
      enabled: true,
      hits: 0,
    };
    this.added++;
    this.entries.push(entry);
    return describe(entry);
  }

  list(): Breakpoint[] {
    return this.entries.map(describe);
  }

  clear(id: string): Breakpoint {
    const entry = this.find(id);
    this.entries = this.entries.filter((other) => other !== entry);
    return describe(entry);
  }

  /** Makes these the breakpoints of a group. One that stays keeps its id and its hits. */
  replace(group: string, specs: readonly BreakpointSpec[]): Breakpoint[] {
    const wanted = new Map(specs.map((spec) => [JSON.stringify(spec), spec]));
    this.entries = this.entries.filter(
      (entry) => entry.group !== group || wanted.delete(JSON.stringify(entry.spec)),
    );
    for (const spec of wanted.values()) this.add(spec, group);
    return this.list();
  }

  /** Removes all breakpoints; returns how many there were. */
  clearAll(): number {
    const { length } = this.entries;
    this.entries = [];
    return length;
  }

  setEnabled(id: string, enabled: boolean): Breakpoint {
    const entry = this.find(id);
    entry.enabled = enabled;
    return describe(entry);
  }

  get anyEnabled(): boolean {
    return this.entries.some(({ enabled }) => enabled);
  }

  /** Whether any breakpoint waits for events. If not, events need no check. */
  get waitsForEvents(): boolean {
    return this.entries.some(({ spec, enabled }) => enabled && spec.on === "event");
  }

  /** The types of events that breakpoints wait for. */
  get eventTypes(): string[] {
    return this.entries.flatMap(({ spec, enabled }) => (enabled && spec.on === "event" ? spec.event : []));
  }

  /** The breakpoint at which the agent pauses now. Every breakpoint that matches counts the hit. */
  hit(context: BreakpointContext): { breakpoint: Breakpoint; deadlineMs: number | undefined } | undefined {
    let stop: Entry | undefined;
    for (const entry of this.entries) {
      if (!entry.enabled || !this.matches(entry, context)) continue;
      entry.hits++;
      if (entry.hits >= (entry.spec.hitCount ?? 1)) stop ??= entry;
    }
    if (!stop) return undefined;
    if (stop.spec.once) this.entries = this.entries.filter((entry) => entry !== stop);
    return { breakpoint: describe(stop), deadlineMs: stop.spec.deadlineMs };
  }

  save(): SavedBreakpoints {
    return { added: this.added, list: this.list() };
  }

  restore(saved: SavedBreakpoints): void {
    this.added = saved.added;
    this.entries = saved.list.flatMap(({ id, spec, enabled, hits, group }) => {
      if (!spec) return [];
      const regex = "regex" in spec ? spec.regex : undefined;
      return {
        id,
        spec,
        condition: spec.condition === undefined ? undefined : parseCondition(spec.condition),
        // It was checked when it was added.
        pattern: regex === undefined ? undefined : new Pattern(regex),
        group,
        enabled: enabled ?? true,
        hits: hits ?? 0,
      };
    });
  }

  private matches(entry: Entry, context: BreakpointContext): boolean {
    try {
      return appliesTo(entry, context) && (entry.condition?.(context) ?? true);
    } catch (thrown) {
      entry.enabled = false;
      this.report(`${(thrown as Error).message}; breakpoint ${entry.id} is disabled`);
      return false;
    }
  }

  private find(id: string): Entry {
    const entry = this.entries.find((one) => one.id === id);
    if (entry) return entry;
    const existing = this.entries.map((one) => one.id).join(", ") || "none";
    throw new BridgeError(
      "target_not_found",
      `breakpoint "${id}" does not exist; existing breakpoints: ${existing}`,
    );
  }
}

function appliesTo({ spec, pattern }: Entry, context: BreakpointContext): boolean {
  switch (spec.on) {
    case "tool":
      return context.at === "tool" && isTool(spec.name, context.name);
    case "iteration":
      return context.at === "model" && context.iteration === spec.count;
    case "pattern":
      return context.at === "tool" && pattern?.test(jsonOf(context.input) ?? "") === true;
    case "error":
      return context.at === "error";
    case "event":
      return (
        context.at === "event" &&
        context.event === spec.event &&
        (spec.session === undefined || spec.session === context.session) &&
        (pattern === undefined || pattern.test(jsonOf(context.data) ?? ""))
      );
  }
}

/** Agents call the tool `act` of an MCP server `mcp__SERVER__act` or `act (SERVER MCP Server)`. */
function isTool(wanted: string, name: string): boolean {
  if (wanted === "*" || wanted === name) return true;
  return (name.startsWith("mcp__") && name.endsWith(`__${wanted}`)) || name.startsWith(`${wanted} (`);
}

function describe({ id, spec, enabled, hits, group }: Entry): Breakpoint {
  const type = spec.on;
  return {
    id,
    type,
    condition: subjectOf(spec),
    enabled,
    hits,
    spec,
    ...(group === undefined ? {} : { group }),
  };
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
