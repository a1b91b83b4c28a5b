import { HubClient } from "@debug-bridge/client";
import type { Stage } from "../../e2e/relay/stage.js";
import type { Witness } from "./witness.js";

/** A client of the hub that has a tab of the person do something without pause. */
export class TabLoad {
  answered = 0;
  readonly asked: { readonly text: string; readonly isAnswered: boolean }[] = [];
  private stopped = false;
  private readonly client: HubClient;
  private readonly done: Promise<void>;

  constructor(
    private readonly name: string,
    /** How the address of its tab ends. */
    private readonly address: string,
    { hub }: Stage,
    private readonly witness: Witness,
  ) {
    this.client = new HubClient({ hub: hub.url, token: hub.token, name });
    this.done = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.done;
    this.client.close();
  }

  private async run(): Promise<void> {
    for (let n = 0; !this.stopped; n++) {
      const text = `${this.name} ${n}`;
      const isAnswered = await this.ask(text).catch(() => false);
      this.asked.push({ text, isAnswered });
      if (isAnswered) this.answered++;
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  private async ask(text: string): Promise<boolean> {
    const tab = (await this.client.sessions()).find(
      ({ kind, url }) => kind === "tab" && url?.endsWith(this.address),
    );
    if (!tab) return false;
    const code = `(await fetch(${JSON.stringify(`${this.witness.url}/${encodeURIComponent(text)}`)})).ok`;
    const { success, value } = await this.client.command(tab.id, { type: "evaluate", code });
    return success === true && value === true;
  }
}
