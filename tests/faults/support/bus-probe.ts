import { connectBus } from "@debug-bridge/server";
import { onTestFinished } from "vitest";

const PAUSE_MS = 50;

/** No value has this revision, so that nothing is written. */
const NO_REVISION = 2 ** 40;

/** For how long the servers of a bus stored nothing for anybody: what hubs cannot change. */
export interface BusProbe {
  /** The longest such time since this was called last, in milliseconds. */
  longestGap(): number;
}

/** Writes next to the hubs: into the stream of their timelines, and, as far as the leader checks it, into the list of sessions. */
export async function probeBus(url: string, replicas: number): Promise<BusProbe> {
  const bus = await connectBus({ url, name: "probe", replicas });
  let isOver = false;
  let [storedAt, longest] = [performance.now(), 0];
  const measure = (): void => {
    longest = Math.max(longest, performance.now() - storedAt);
  };
  const write = async (): Promise<void> => {
    while (!isOver) {
      const stored = [bus.log.append("probe", ""), bus.sessions.compareAndSet("probe", "", NO_REVISION)];
      await Promise.all(stored).then(
        () => {
          measure();
          storedAt = performance.now();
        },
        () => {},
      );
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  void write();
  onTestFinished(async () => {
    isOver = true;
    await bus.close();
  });
  return {
    longestGap() {
      measure();
      const gap = longest;
      longest = 0;
      return Math.round(gap);
    },
  };
}
