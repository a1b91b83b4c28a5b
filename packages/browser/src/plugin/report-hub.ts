import { HUB_ASKED, HUB_STATE } from "./channel.js";
import type { HubLink } from "./hub-link.js";

/** The connection of a development server to its pages. */
export interface PageChannel {
  on(event: string, listener: (data: unknown, page: PageClient) => void): void;
}

interface PageClient {
  send(event: string, data: unknown): void;
}

const CHECK_MS = 1_000;

/**
 * Lets pages ask whether a hub runs, and notifies those that wait when one starts. A page that tried by itself would get an
 * error in its console for each attempt.
 */
export function reportHub(channel: PageChannel, link: Pick<HubLink, "state">): void {
  const waiting = new Set<PageClient>();
  let isChecking = false;
  const check = async (): Promise<void> => {
    isChecking = true;
    const state = await link.state();
    if (state.up) {
      for (const page of waiting) page.send(HUB_STATE, state);
      waiting.clear();
    }
    isChecking = waiting.size > 0;
    if (isChecking) (setTimeout(check, CHECK_MS) as { unref?(): void }).unref?.();
  };
  channel.on(HUB_ASKED, async (_data, page) => {
    const state = await link.state();
    page.send(HUB_STATE, state);
    if (state.up) return;
    waiting.add(page);
    if (!isChecking) await check();
  });
}
