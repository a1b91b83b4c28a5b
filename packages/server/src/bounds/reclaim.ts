import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of large messages after which the memory that they left behind is reclaimed. */
const RECLAIM_AFTER_BYTES = 8 * 1024 * 1024;

let collect: (() => void) | undefined;
let left = 0;

/**
 * Counts a large message. V8 waits with its collection until buffers outside of its heap have grown by 64 MB, which is more
 * than strangers may make the hub use; so it is asked to collect earlier.
 */
export function reclaimAfter(bytes: number): void {
  left += bytes;
  if (left < RECLAIM_AFTER_BYTES) return;
  left = 0;
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}
