import type { Browser, Page } from "playwright-core";
import type { Stage } from "../../e2e/relay/stage.js";
import type { Witness } from "./witness.js";

/** A client that has a page do something without pause, and reconnects whenever it has to. */
export class Load {
  answered = 0;
  /** What was answered, and what failed and may have been done. */
  readonly asked: { readonly text: string; readonly isAnswered: boolean }[] = [];
  readonly wrong: string[] = [];
  /** The longest that each kind of thing took, whether it was answered or failed. */
  readonly slowestMs = { connect: 0, evaluate: 0, close: 0 };
  private stopped = false;
  private browser: Browser | undefined;
  private readonly done: Promise<void>;

  constructor(
    private readonly name: string,
    private readonly stage: Stage,
    private readonly witness: Witness,
  ) {
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
      const text = `${this.name} ${n}`;
      try {
        const page = await this.page();
        const url = `${this.witness.url}/${encodeURIComponent(text)}`;
        const answer = await this.timed("evaluate", () =>
          page.evaluate(async ([address, asked]) => (await fetch(address)).ok && asked, [url, text] as const),
        );
        if (answer !== text) this.wrong.push(`asked ${text}, got ${answer}`);
        this.asked.push({ text, isAnswered: true });
        this.answered++;
      } catch (error) {
        this.asked.push({ text, isAnswered: false });
        // For Playwright a page that crashed stays so, however often it is loaded again.
        if (String(error).includes("crashed")) await this.kill();
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
    if (!this.browser?.isConnected())
      this.browser = await this.timed("connect", () => this.stage.playwright());
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
