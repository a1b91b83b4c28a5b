import { type AgentClient, connect, HubClient } from "@debug-bridge/client";
import { ResumingApp } from "../support/hub/resuming-app.js";

export interface Act {
  readonly name: string;
  readonly sentAt: number;
  ackedAt?: number;
  /** How it ended without being acknowledged, and when. */
  failed?: { readonly at: number; readonly why: string };
}

export interface SeenRecord {
  readonly type: string;
  readonly sequence: number;
  readonly data: unknown;
}

/** A session with an app that writes and obeys, a client that acts in it, and a reader of its records. */
export class SteeredSession {
  readonly acts: Act[] = [];
  readonly read: SeenRecord[] = [];
  readonly app: ResumingApp;
  written = 0;
  private isOver = false;
  private lastError = "no error";
  private readonly client: HubClient;
  private readonly work: Promise<void>;

  constructor(
    readonly id: string,
    private readonly hubs: readonly string[],
    private readonly token: string,
    private readonly pauseMs: number,
  ) {
    this.app = new ResumingApp(hubs, id, "page-1");
    // Its client is on another hub than its app.
    const others = [...hubs.slice(1), ...hubs.slice(0, 1)];
    this.client = new HubClient({ hub: others, token });
    this.work = this.act();
    void this.follow();
  }

  /** When the first act that was sent after this moment was answered with success. */
  backAt(since: number): number | undefined {
    return this.acts.findLast(({ sentAt }) => sentAt <= since) === this.acts.at(-1)
      ? undefined
      : this.acts.find(({ sentAt, ackedAt }) => sentAt > since && ackedAt !== undefined)?.ackedAt;
  }

  /** What its client did from a moment on until it was back: where the time went. */
  wayBack(since: number): string[] {
    const from = (at: number): string => `${at - since} ms`;
    const isOfWay = ({ ackedAt, failed, sentAt }: Act): boolean =>
      (ackedAt ?? failed?.at ?? sentAt) > since && sentAt <= (this.backAt(since) ?? Date.now());
    return this.acts.filter(isOfWay).map(({ sentAt, ackedAt, failed }) => {
      const end = failed
        ? `${from(failed.at)}: ${failed.why}`
        : ackedAt
          ? `${from(ackedAt)}: done`
          : "no end";
      return `${from(sentAt)} to ${end}`;
    });
  }

  /** For when it does not come back. */
  describe(): string {
    const waiting = Date.now() - (this.acts.at(-1)?.sentAt ?? 0);
    return `${this.id} (app connected ${this.app.connections} times, last act sent ${waiting} ms ago, ${this.lastError})`;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.work;
  }

  /** The whole timeline, from any hub. */
  async timeline(): Promise<SeenRecord[]> {
    const records: SeenRecord[] = [];
    for (let since = 0; ; ) {
      const { events, next } = await this.client.events(this.id, since);
      records.push(...events);
      if (events.length === 0 || next === since) return records;
      since = next;
    }
  }

  end(): void {
    this.app.end();
    this.client.close();
  }

  private async act(): Promise<void> {
    for (let number = 1; !this.isOver; number++) {
      this.app.send({ type: "console", level: "log", args: [`line ${++this.written}.`] });
      const act: Act = { name: `${this.id}-act-${number}.`, sentAt: Date.now() };
      this.acts.push(act);
      const command = { type: "click", target: { text: act.name }, requestId: act.name };
      const result = await this.client.command(this.id, command).catch((error: Error) => {
        this.lastError = error.message;
        return undefined;
      });
      if (result?.success === true) act.ackedAt = Date.now();
      else act.failed = { at: Date.now(), why: result ? JSON.stringify(result.error) : this.lastError };
      // One that had to wait for long goes on at once.
      const isSlow = Date.now() - act.sentAt > this.pauseMs;
      await new Promise((resolve) => setTimeout(resolve, result && !isSlow ? this.pauseMs : 50));
    }
  }

  private async follow(): Promise<void> {
    for (let since = 0; !this.isOver; ) {
      let reader: AgentClient | undefined;
      try {
        reader = await connect({ hub: this.hubs, token: this.token, sessionId: this.id });
        for await (const record of reader.events(since)) {
          since = record.sequence;
          this.read.push(record);
        }
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      } finally {
        reader?.close();
      }
    }
  }
}
