import { HubClient } from "@debug-bridge/client";
import { onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import type { WireMessage } from "../../support/hub/wire-client.js";
import type { FaultLog } from "./fault-log.js";

export interface ActorOptions {
  readonly hub: string | readonly string[];
  readonly token: string;
  readonly session: string;
  /** Before the next act. */
  readonly pauseMs?: number;
}

/** A client that acts without end, each time on another target, and remembers which acts were acknowledged. */
export class Actor {
  readonly acknowledged: string[] = [];
  /** Acts whose outcome nobody knows, or that were refused. */
  readonly failed: string[] = [];
  private readonly client: HubClient;
  private isEnded = false;
  private readonly done: Promise<void>;

  constructor(
    readonly name: string,
    private readonly options: ActorOptions,
  ) {
    this.client = new HubClient({ hub: options.hub, token: options.token, name });
    this.done = this.run();
    onTestFinished(() => this.end());
  }

  /** Resolves when it was successful so many times more. */
  async succeeds(times = 3): Promise<void> {
    const before = this.acknowledged.length;
    await until(() => this.acknowledged.length >= before + times);
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await this.done;
    this.client.close();
  }

  /** Compares what was acknowledged with what the app was asked to do. */
  check(log: FaultLog, commands: readonly WireMessage[]): void {
    const done = new Map<string, number>();
    for (const { target } of commands) {
      // The hub itself sends commands without a target.
      const { text } = (target ?? {}) as { text?: string };
      if (text !== undefined) done.set(text, (done.get(text) ?? 0) + 1);
    }
    log.acknowledge(this.acknowledged.length);
    log.lose(...this.acknowledged.filter((act) => !done.has(act)).map((act) => `lost: ${act}`));
    const mine = [...this.acknowledged, ...this.failed];
    log.lose(...mine.filter((act) => (done.get(act) ?? 0) > 1).map((act) => `done twice: ${act}`));
  }

  private async run(): Promise<void> {
    const { session, pauseMs = 5 } = this.options;
    for (let n = 1; !this.isEnded; n++) {
      const act = `${this.name} ${n}.`;
      try {
        const { success } = await this.client.command(session, { type: "click", target: { text: act } });
        (success ? this.acknowledged : this.failed).push(act);
      } catch {
        this.failed.push(act);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
