import { setTimeout as sleep } from "node:timers/promises";
import { request } from "@debug-bridge/client";
import { BridgeError, backoffDelay } from "@debug-bridge/protocol";

const ASK_TIMEOUT_MS = 5_000;
/** Between two checks of the slot; random, so that several waiting clients do not ask at the same moment. */
const POLL = { firstMs: 400, maxMs: 400 } as const;

interface Slot {
  readonly busy: boolean;
  readonly activeClientId: string | null;
}

/** What makes the wait between two checks. */
interface SlotClock {
  /** From 0 to 1, like `Math.random`. */
  random(): number;
  pause(ms: number): Promise<unknown>;
}

/** Whether a relay answers, and whether a Chrome with the extension is connected to it. */
export async function relayHealth(cdpUrl: string): Promise<{ extension?: boolean } | undefined> {
  return requestJson(cdpUrl, "/healthz");
}

/**
 * Waits until the relay accepts another client: a relay with `--client-mode single-active` has one slot. Throws when
 * the slot is still taken at the deadline.
 */
export async function waitForSlot(
  cdpUrl: string,
  deadline: number,
  { random, pause }: SlotClock = { random: Math.random, pause: sleep },
): Promise<void> {
  for (;;) {
    const slot = await requestJson<Slot>(cdpUrl, "/client-slot");
    if (!slot?.busy) return;
    if (Date.now() >= deadline) throw slotTaken(slot.activeClientId);
    await pause(backoffDelay(0, POLL, random));
  }
}

export function slotTaken(client: string | null): BridgeError {
  return new BridgeError(
    "conflict",
    `the relay accepts one client at a time, and ${client ?? "another client"} is still connected; disconnect it, or start the hub with --client-mode multi-client`,
  );
}

/** The relay's own HTTP answers need no token, and get none. */
async function requestJson<Answer>(cdpUrl: string, path: string): Promise<Answer | undefined> {
  const url = new URL(path, cdpUrl.replace(/^ws/, "http"));
  url.search = "";
  try {
    const { status, text } = await request(url.href, { timeoutMs: ASK_TIMEOUT_MS, maxBytes: 1_000_000 });
    return status === 200 ? (JSON.parse(text) as Answer) : undefined;
  } catch {
    return undefined;
  }
}
