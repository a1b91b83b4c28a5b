import { setTimeout as sleep } from "node:timers/promises";
import { BridgeError } from "@debug-bridge/protocol";

const CONNECT_MS = 30_000;
const SHORTEST_MS = 200;
const LONGEST_MS = 400;

/** Where a relay says who uses it, from the address for its clients. */
function slotUrl(cdpUrl: string): URL {
  const url = new URL("/client-slot", cdpUrl.replace(/^ws/, "http"));
  url.search = "";
  return url;
}

/**
 * Waits for the relay's one place where it takes one client at a time: asks now and then, not in step with others who
 * wait, and gives up after half a minute.
 */
export async function waitForSlot(cdpUrl: string, maxMs = CONNECT_MS): Promise<void> {
  const ends = Date.now() + maxMs;
  for (;;) {
    const slot = await readSlot(slotUrl(cdpUrl));
    if (!slot?.busy) return;
    if (Date.now() >= ends) {
      throw new BridgeError(
        "conflict",
        `the relay takes one client at a time, and ${slot.activeClientId} did not leave within ${maxMs / 1_000} s; end it, or start the hub with --client-mode multi-client`,
      );
    }
    await sleep(SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS));
  }
}

interface Slot {
  readonly busy: boolean;
  readonly activeClientId: string | null;
}

async function readSlot(url: URL): Promise<Slot | undefined> {
  const answer = await fetch(url).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as Slot) : undefined;
}
