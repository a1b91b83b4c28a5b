import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of large messages after which the memory that they left behind is reclaimed. */
const RECLAIM_AFTER_BYTES = 8 * 1024 * 1024;
/** Bytes of small ones. */
const RECLAIM_SMALL_AFTER_BYTES = 12 * 1024 * 1024;
/** Commands after which what they left behind is reclaimed: their records outlive V8's quick collections. */
const RECLAIM_AFTER_COMMANDS = 16_384;

let collect: (() => void) | undefined;
let large = 0;
let small = 0;
let commands = 0;

/**
 * Counts a large message. V8 waits with its collection until buffers outside of its heap have grown by 64 MB, which is more
 * than strangers may make the hub use; so it is asked to collect earlier.
 */
export function reclaimAfter(bytes: number): void {
  large += bytes;
  if (large < RECLAIM_AFTER_BYTES) return;
  large = 0;
  collector()();
}

/** Counts a small message. In a flood of them V8 lets its heap grow to several times of what is in use. */
export function reclaimSmallAfter(bytes: number): void {
  small += bytes;
  if (small < RECLAIM_SMALL_AFTER_BYTES) return;
  small = 0;
  collector()();
}

/** Counts a command. */
export function reclaimAfterCommand(): void {
  if (++commands < RECLAIM_AFTER_COMMANDS) return;
  commands = 0;
  collector()();
}

function collector(): () => void {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  return collect;
}
