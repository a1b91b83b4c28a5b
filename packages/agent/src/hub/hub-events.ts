import { setTimeout as sleep } from "node:timers/promises";
import { CAUGHT_UP, findHub, streamRecords } from "@debug-bridge/client";
import { backoffDelay, type TimelineRecord } from "@debug-bridge/protocol";

const RETRY = { firstMs: 1_000, maxMs: 1_500 };
const READ_TIMEOUT_MS = 1_000;

/** An event of any session of a hub. */
export interface HubEvent {
  readonly type: string;
  readonly session: string;
  readonly data: unknown;
}

/**
 * Follows the events of a running hub that breakpoints wait for. It does not keep the process alive, and connects again
 * when the hub is back; events in between are not missed as long as the hub still has them.
 */
export class HubEvents {
  private types = "";
  private controller: AbortController | undefined;

  constructor(
    private readonly root: string,
    private readonly onEvent: (event: HubEvent) => void,
  ) {}

  /** Follows events of these types from now on; without types, none. */
  listen(types: Iterable<string>): void {
    const wanted = [...new Set(types)].sort();
    if (wanted.join(",") === this.types) return;
    this.close();
    this.types = wanted.join(",");
    if (wanted.length === 0) return;
    this.controller = new AbortController();
    void this.follow(wanted, this.controller.signal);
  }

  close(): void {
    this.types = "";
    this.controller?.abort();
    this.controller = undefined;
  }

  private async follow(types: readonly string[], signal: AbortSignal): Promise<void> {
    let since = Date.now();
    let retries = 0;
    while (!signal.aborted) {
      try {
        const hub = await findHub({ home: this.root }, { background: true });
        if (hub) {
          for await (const record of streamRecords(hub, { types, since, signal, background: true })) {
            retries = 0;
            if (signal.aborted) return;
            if (record.type !== CAUGHT_UP) this.onEvent(toEvent(record));
          }
          since = Date.now();
        }
      } catch {
        // The hub refused or is gone: try again.
      }
      await sleep(backoffDelay(retries++, RETRY), undefined, { signal, ref: false }).catch(() => {});
    }
  }
}

/** The events of these types that the hub has had since a time; none when it does not answer at once. */
export async function readHubEvents(
  root: string,
  types: readonly string[],
  since: number,
): Promise<HubEvent[]> {
  const events: HubEvent[] = [];
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
  try {
    const hub = await findHub({ home: root });
    if (!hub) return events;
    for await (const record of streamRecords(hub, { types: [...new Set(types)], since, signal })) {
      if (record.type === CAUGHT_UP) break;
      events.push(toEvent(record));
    }
  } catch {
    // As if no hub ran.
  }
  return events;
}

function toEvent({ type, sessionId, data }: TimelineRecord): HubEvent {
  return { type, session: sessionId, data };
}
