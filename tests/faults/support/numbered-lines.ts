import { HubClient } from "@debug-bridge/client";
import { onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import { ResumingApp } from "../../support/hub/resuming-app.js";
import type { FaultLog } from "./fault-log.js";

/** An app that writes numbered lines into its console until it is asked to stop. */
export class WritingApp {
  readonly app: ResumingApp;
  written = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    hubs: readonly string[],
    readonly session: string,
    pauseMs = 5,
    /** Characters of each line beyond its number. */
    private readonly padding = 0,
  ) {
    this.app = new ResumingApp(hubs, session, `${session}-page`);
    this.timer = setInterval(() => this.write(), pauseMs);
    onTestFinished(() => {
      this.stop();
      this.app.end();
    });
  }

  async connected(times = 1): Promise<void> {
    await until(() => this.app.connections >= times);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private write(): void {
    const text = `line ${++this.written}.${"x".repeat(this.padding)}`;
    this.app.send({ type: "console", level: "log", args: [text] });
  }
}

export const numberIn = (record: unknown): number =>
  Number(/line (\d+)\./.exec(JSON.stringify(record))?.[1] ?? Number.NaN);

/** Reads the lines of a session all the time: a hub keeps the newest records only. */
export class LineReader {
  readonly lines: number[] = [];
  private readonly client: HubClient;
  private isEnded = false;
  private readonly done: Promise<void>;

  constructor(
    hub: { readonly url: string; readonly token: string },
    private readonly writing: WritingApp,
  ) {
    this.client = new HubClient({ hub: hub.url, token: hub.token, name: "reader" });
    this.done = this.run();
    onTestFinished(() => this.end());
  }

  /** Compares the lines that it read with those that the app wrote. */
  async check(log: FaultLog): Promise<void> {
    const { written } = this.writing;
    // A line that never comes is a loss, and no reason to wait forever.
    await until(() => this.lines.includes(written), 60_000).catch(() => {});
    await this.end();
    compareLines(log, this.lines, written);
  }

  private async end(): Promise<void> {
    this.isEnded = true;
    await this.done;
    this.client.close();
  }

  private async run(): Promise<void> {
    for (let since = 0; !this.isEnded; ) {
      const page = await this.client.events(this.writing.session, since).catch(() => undefined);
      for (const { type, data } of page?.events ?? [])
        if (type === "console") this.lines.push(numberIn(data));
      since = page?.next ?? since;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Each number once, and in its order. */
export function compareLines(log: FaultLog, found: readonly number[], written: number): void {
  const seen = new Set(found);
  log.acknowledge(written);
  for (let line = 1; line <= written; line++) if (!seen.has(line)) log.lose(`line ${line} is missing`);
  if (seen.size !== found.length) log.lose(`${found.length - seen.size} lines came twice`);
  if (found.some((line, i) => i > 0 && line < (found[i - 1] as number)))
    log.lose("lines came in another order");
}
