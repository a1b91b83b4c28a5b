import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { Stage } from "./stage.js";

/** 20 in the normal run; `CHAOS_ROUNDS=200` for a long one. */
const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 20);
const HANG_MS = 5_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start({ pages: ["/", "/second"] });
});
afterAll(() => stage?.close());

/** A client that asks without pause, and reconnects whenever it has to. */
class Load {
  answered = 0;
  failed = 0;
  readonly wrong: string[] = [];
  /** The longest that each kind of thing took, whether it was answered or failed. */
  readonly slowestMs = { connect: 0, evaluate: 0, close: 0 };
  private stopped = false;
  private browser: Browser | undefined;
  private readonly done: Promise<void>;

  constructor(private readonly name: string) {
    this.done = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.done;
    await this.browser?.close().catch(() => {});
  }

  /** Ends the client's connection in the middle of whatever it does. */
  async kill(): Promise<void> {
    await this.browser?.close().catch(() => {});
  }

  private async run(): Promise<void> {
    for (let n = 0; !this.stopped; n++) {
      try {
        const page = await this.page();
        const asked = `${this.name} ${n}`;
        const answer = await this.timed("evaluate", () => page.evaluate((text) => text, asked));
        if (answer !== asked) this.wrong.push(`asked ${asked}, got ${answer}`);
        this.answered++;
      } catch {
        this.failed++;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  private async timed<Value>(kind: keyof Load["slowestMs"], run: () => Promise<Value>): Promise<Value> {
    const started = Date.now();
    try {
      return await run();
    } finally {
      this.slowestMs[kind] = Math.max(this.slowestMs[kind], Date.now() - started);
    }
  }

  private async page(): Promise<Page> {
    if (!this.browser?.isConnected()) this.browser = await this.timed("connect", () => stage.playwright());
    const { browser } = this;
    const page = browser
      .contexts()[0]
      ?.pages()
      .find((each) => each.url().startsWith("http"));
    if (page) return page;
    // Its browser is gone, with its tabs: a new connection sees the new one's.
    await this.timed("close", () => browser.close());
    throw new Error("no page");
  }
}

it(
  `survives ${ROUNDS} random deaths under load: no hang, no wrong answer, and full recovery each time`,
  async () => {
    const loads = [new Load("a"), new Load("b")];
    const deaths: Record<string, () => Promise<unknown>> = {
      worker: () => stage.person.stopWorker(),
      relay: () => stage.restartHub(),
      client: () => (loads[0] as Load).kill(),
      tab: async () => {
        const pages = (await stage.person.targets()).filter(
          ({ type, url }) => type === "page" && url.startsWith("http"),
        );
        await stage.person.open(stage.site.url("/"));
        if (pages[0]) await fetch(`${stage.person.endpoint}/json/close/${pages[0].id}`);
      },
      browser: () => stage.person.restart(stage.site.url("/"), stage.site.url("/second")),
    };
    // Each kind of death comes, in an order that a failing run tells.
    const names = Object.keys(deaths);
    const order: string[] = [];
    let seed = Number(process.env.CHAOS_SEED ?? Date.now() % 100_000);
    const first = seed;
    for (let i = 0; i < ROUNDS; i++) {
      seed = (seed * 16_807) % 2_147_483_647;
      order.push(i < names.length ? (names[i] as string) : (names[seed % (names.length + 2)] ?? "worker"));
    }
    await until(() => loads.every(({ answered }) => answered > 5));
    for (const [round, name] of order.entries()) {
      await deaths[name]?.();
      const before = loads.map(({ answered }) => answered);
      await until(() => loads.every(({ answered }, i) => answered > (before[i] ?? 0) + 3)).catch(() => {
        throw new Error(`round ${round} (${name}, seed ${first}): not well again; ${JSON.stringify(order)}`);
      });
    }
    for (const load of loads) await load.stop();
    expect(loads.flatMap(({ wrong }) => wrong)).toEqual([]);
    for (const { slowestMs } of loads)
      for (const [kind, ms] of Object.entries(slowestMs)) expect(ms, kind).toBeLessThan(HANG_MS);
  },
  60_000 + ROUNDS * 10_000,
);
