import { CONSOLE_LIMITS } from "@debug-bridge/protocol";
import { max, min, now } from "../natives.js";
import { maskText } from "../secrets/mask-text.js";
import { hidesMember } from "../secrets/secret-names.js";
import { cut } from "../text.js";

/** Decides what of a value may be seen, before it becomes text where secrets are hard to find. */
export interface Censor {
  /** True when the value of this name must not be seen. */
  hides(name: string, value: unknown): boolean;
  /** At most so many characters of the text, without the secrets in it. */
  fit(text: string, max: number): string;
  /** True when the content of this node must not be seen. */
  readonly hidesNode?: ((node: object) => boolean) | undefined;
}

/** Masks by name and by text alone, for worlds that do not know what was typed into the page. */
export const defaultCensor: Censor = {
  hides: hidesMember,
  fit: (text, max) => maskText(cut(text, max)),
  // A missing member would be looked up on the page's `Object.prototype`.
  hidesNode: undefined,
};

export interface SerializeOptions {
  readonly censor: Censor;
  /** The target of a proxy; `undefined` for any other value. */
  readonly targetOf?: (value: object) => object | undefined;
  /** Removes our own frames from a stack. */
  readonly cleanStack?: (stack: string) => string;
  /** Reads getters and calls `toJSON`: for data that the app itself hands over. Otherwise no code of the page runs. */
  readonly live?: boolean;
  readonly valueLimits?: SerializeLimits;
}

export interface SerializeLimits {
  /** Characters of one value or of all arguments of one call. */
  readonly room: number;
  readonly ms: number;
  readonly depth: number;
  readonly keys: number;
  readonly items: number;
  readonly string: number;
}

/** What writing one event may still cost, and by which rules it is written. */
export interface SerializeBudget extends Required<Omit<SerializeOptions, "valueLimits">> {
  readonly valueLimits: SerializeLimits;
  /** Characters that may still be written. */
  room: number;
  /** Whether the time is spent. */
  late(): boolean;
}

/**
 * `room` is wide enough for a thousand members with short values, and written in a few milliseconds. `ms` is for what
 * is slow to read, such as a proxy of another frame: after it, the rest is left out and counted. The room decides in
 * most cases, so that a busy machine does not change what is seen.
 */
export const CONSOLE_VALUE_LIMITS: SerializeLimits = {
  room: 100_000,
  ms: 50,
  depth: CONSOLE_LIMITS.depth,
  keys: CONSOLE_LIMITS.objectKeys,
  items: CONSOLE_LIMITS.arrayItems,
  string: CONSOLE_LIMITS.stringBytes,
};
/** Reading the clock costs more than writing a number, so it is read only now and then. */
const CLOCK_INTERVAL = 32;

const nothing = (): undefined => undefined;
const unchanged = (text: string): string => text;

/** Options that were not given are not looked up on the page's `Object.prototype`. */
export function createBudget(given: SerializeOptions): SerializeBudget {
  const options = { __proto__: null, ...given } as SerializeOptions;
  const valueLimits = options.valueLimits ?? CONSOLE_VALUE_LIMITS;
  const until = now() + valueLimits.ms;
  let calls = 0;
  let late = false;
  return {
    valueLimits,
    censor: options.censor,
    targetOf: options.targetOf ?? nothing,
    cleanStack: options.cleanStack ?? unchanged,
    live: options.live ?? false,
    room: valueLimits.room,
    late() {
      if (!late && ++calls % CLOCK_INTERVAL === 0) late = now() > until;
      return late;
    },
  };
}

/** Counts text against the room. */
export function spend(budget: SerializeBudget, text: string): string {
  budget.room -= text.length;
  return text;
}

/** How long a text may be. A little is always left for a beginning and a mark. */
export function roomForText(budget: SerializeBudget): number {
  return max(min(budget.valueLimits.string, budget.room), 100);
}
