import { stackFrames } from "../../console/console-text.js";
import { RECORD_KINDS } from "../../records/record-facts.js";
import type { ChainFrame, ChainStep } from "../../schema/app/chain.js";
import type { TimelineRecord } from "../../schema/timeline.js";
import { parseOrNothing, type TimelineSource } from "../source.js";

/** How many records before and after one are looked at. What is further away is not known. */
const MAX_BEFORE = 3_000;
const MAX_AFTER = 300;
/** From a command to its answer, besides the time that the page says it took. */
const MAX_DELAY_MS = 10_000;
/** How the page is built, which is frequent and shows no cause. */
const DOM = RECORD_KINDS.indexOf("dom");

/** A record with what `why` reads of it again and again. */
export interface StoryEntry {
  readonly record: TimelineRecord;
  readonly sequence: number;
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Time that a command took, by the clock of the page as far as its answer says it. */
export interface ActionSpan {
  readonly action: StoryEntry;
  readonly from: number;
  readonly to: number;
}

/** The records around one, read once. */
export class Story {
  readonly records: readonly StoryEntry[];
  private readonly bySequence = new Map<number, StoryEntry>();
  private spansOfActions: ActionSpan[] | undefined;

  constructor(
    source: TimelineSource,
    readonly position: number,
  ) {
    const { columns } = source;
    const records: StoryEntry[] = [];
    const end = Math.min(columns.length, position + MAX_AFTER);
    for (let at = Math.max(0, position - MAX_BEFORE); at < end; at++) {
      if (columns.kinds[at] === DOM && at !== position) continue;
      const entry = readEntry(source, at);
      if (!entry) continue;
      records.push(entry);
      this.bySequence.set(entry.sequence, entry);
    }
    this.records = records;
  }

  get(sequence: number | undefined): StoryEntry | undefined {
    return sequence === undefined ? undefined : this.bySequence.get(sequence);
  }

  /** The records of a request or a socket, in their order. Pages start counting requests again with each load: only those of the same page load. */
  ofRequest(id: string, like: StoryEntry): StoryEntry[] {
    const { instanceId } = like.record;
    return this.records.filter(
      ({ type, data, record }) => type === "network" && data.id === id && record.instanceId === instanceId,
    );
  }

  /** When each action ran. */
  get spans(): readonly ActionSpan[] {
    this.spansOfActions ??= this.records.filter(isAction).map((action) => this.spanOf(action));
    return this.spansOfActions;
  }

  private spanOf(action: StoryEntry): ActionSpan {
    if (action.type === "interaction") return { action, from: action.at - 30, to: action.at + 30 };
    const result = this.records.find(
      ({ type, record }) => type === "command_result" && record.causedBy === action.sequence,
    );
    // It still runs.
    if (!result) return { action, from: action.at, to: Number.POSITIVE_INFINITY };
    const took = Number(result.data.durationMs ?? 0);
    const between = result.at - action.at;
    // The answer has the page's own time. A clock that is not the hub's shows in it.
    const isSameClock = between >= 0 && between < took + MAX_DELAY_MS;
    return { action, from: isSameClock ? action.at : result.at - took, to: result.at };
  }
}

const ACTIONS =
  /^(click|type|press|select|hover|scroll|drag|dialog|set_files|navigate|evaluate|call_tool|browser_action)$/;

/** Something that an agent or the person did. Looking at a page causes nothing in it. */
export function isAction({ type, data }: StoryEntry): boolean {
  return type === "interaction" || (type === "command" && ACTIONS.test(String(data.type)));
}

export function readEntry(source: TimelineSource, position: number): StoryEntry | undefined {
  const record = parseOrNothing(source.read(position) ?? "");
  if (typeof record !== "object" || record === null) return undefined;
  const { type, data } = record as TimelineRecord;
  if (typeof type !== "string") return undefined;
  return {
    record: record as TimelineRecord,
    sequence: source.columns.sequences[position] as number,
    type,
    at: source.columns.times[position] as number,
    data: (typeof data === "object" && data !== null ? data : {}) as Record<string, unknown>,
  };
}

/** The chain of a record; `undefined` when none was kept. A recording may hold anything, so each step is checked. */
export function chainOf({ data }: StoryEntry): readonly ChainStep[] | undefined {
  if (!Array.isArray(data.chain)) return undefined;
  return data.chain.filter(
    (step): step is ChainStep =>
      typeof step?.how === "string" && Array.isArray(step.frames) && step.frames.every(isFrame),
  );
}

function isFrame(frame: unknown): frame is ChainFrame {
  const { url, line, column } = (frame ?? {}) as Partial<ChainFrame>;
  return typeof url === "string" && typeof line === "number" && typeof column === "number";
}

/** Where the code of a record is: its own calls, the innermost first. */
export function framesOf(entry: StoryEntry): ChainFrame[] {
  const { stack, location } = entry.data;
  const written = typeof stack === "string" ? stackFrames(stack).flatMap(readFrame) : [];
  if (written.length > 0) return written;
  const own = chainOf(entry)?.find(({ how }) => how === "stack")?.frames;
  if (own && own.length > 0) return own;
  return isFrame(location) ? [location] : [];
}

const FRAME = /^at (?:(.*?) \()?([a-z][a-z+.-]*:\/\/[^\s()]+?):(\d{1,9}):(\d{1,9})\)?$/i;

function readFrame(text: string): ChainFrame[] {
  const [, name, url, line, column] = FRAME.exec(text.trim()) ?? [];
  if (url === undefined) return [];
  const bare = name?.replace(/^(?:async|new) /, "");
  return [{ ...(bare ? { name: bare } : {}), url, line: Number(line), column: Number(column) }];
}
