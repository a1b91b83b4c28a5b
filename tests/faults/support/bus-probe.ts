import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { onTestFinished } from "vitest";

const PAUSE_MS = 50;
const ANSWER_TIMEOUT_MS = 2_000;
const WRONG_LAST_SEQUENCE = 10071;

/** For how long NATS stored nothing in a stream that hubs need: what hubs cannot change. */
export interface BusProbe {
  /** The longest such time since this was called last, in milliseconds. */
  longestGap(): number;
}

/** When a stream of NATS answered last, and the longest time without an answer. */
class Stream {
  private answeredAt = performance.now();
  private longest = 0;

  answered(): void {
    this.longest = this.longestGap();
    this.answeredAt = performance.now();
  }

  takeLongest(): number {
    const gap = this.longestGap();
    this.longest = 0;
    return gap;
  }

  private longestGap(): number {
    return Math.max(this.longest, performance.now() - this.answeredAt);
  }
}

/**
 * A bare client of NATS, without any code of the hub, that publishes to the two streams which a session needs: the timelines, and the
 * list of sessions. It sends again and again without waiting for answers, so that it notices at once when a stream works again.
 */
export async function probeBus(url: string): Promise<BusProbe> {
  const urls = url.split(",").map((each) => new URL(each));
  const namespace = (urls[0] as URL).pathname.slice(1);
  const servers = urls.map(({ host }) => host);
  const nats = await connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: PAUSE_MS });
  const js = jetstream(nats);
  const options = { timeout: ANSWER_TIMEOUT_MS, retries: 0 };
  // No value has this revision, so that the servers agree on storing nothing.
  const nothing = { ...options, expect: { lastSubjectSequence: 2 ** 40 } };
  const streams = [
    { stream: new Stream(), publish: () => js.publish(`${namespace}.timeline.probe`, "", options) },
    { stream: new Stream(), publish: () => js.publish(`$KV.${namespace}-sessions.probe`, "", nothing) },
  ];
  const timer = setInterval(() => {
    for (const { stream, publish } of streams)
      publish().then(
        () => stream.answered(),
        (error: { code?: unknown }) => {
          if (error.code === WRONG_LAST_SEQUENCE) stream.answered();
        },
      );
  }, PAUSE_MS);
  onTestFinished(async () => {
    clearInterval(timer);
    await nats.close();
  });
  return { longestGap: () => Math.round(Math.max(...streams.map(({ stream }) => stream.takeLongest()))) };
}
