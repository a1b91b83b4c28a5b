import { max, min, now } from "./natives.js";

/** What writing one event may still cost. */
export interface Job {
  /** Characters that may still be written. */
  room: number;
  /** Whether the time is spent. */
  late(): boolean;
}

/** Wide enough for a thousand members with short values, and written in a few milliseconds. */
const ROOM = 100_000;
/**
 * For what is slow to read all the same, such as a proxy of another frame: after this long, the rest is left out and
 * counted. The room is what decides as a rule, so that a busy machine does not change what is seen.
 */
const MOST_MS = 50;
/** Reading the clock costs more than writing a number, so it is read now and then. */
const EVERY = 32;

export function newJob(room = ROOM, ms = MOST_MS): Job {
  const until = now() + ms;
  let asked = 0;
  let late = false;
  return {
    room,
    late() {
      if (!late && ++asked % EVERY === 0) late = now() > until;
      return late;
    },
  };
}

/** Counts text against the room. */
export function take(job: Job, text: string): string {
  job.room -= text.length;
  return text;
}

/** How long a text may be, at most `most`; a little is always left for a beginning and a mark. */
export function leave(job: Job, most: number): number {
  return max(min(most, job.room), 100);
}
