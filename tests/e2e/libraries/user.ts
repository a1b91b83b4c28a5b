import type { AgentClient } from "@debug-bridge/client";
import type { CommandInput } from "@debug-bridge/protocol";
import { until } from "../../fixtures.js";

export type Wanted = Omit<Extract<CommandInput, { type: "find" }>, "type">;

interface Match {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}

/** Someone who knows a page only by what `observe` and `find` show, and uses it only by `act`. */
export class User {
  constructor(private readonly client: AgentClient) {}

  /** The refs of what matches, once something does. */
  async refs(wanted: Wanted): Promise<string[]> {
    let last = "";
    const matches = await until(async () => {
      const { value, result = "" } = await this.client.act({ type: "find", ...wanted });
      last = result;
      const found = (value as { matches: Match[] }).matches;
      return found.length > 0 && found;
    }, 5_000).catch(async () => {
      const { text } = await this.client.observe();
      throw new Error(`nothing matches ${JSON.stringify(wanted)}: ${last}\n${text}`);
    });
    return matches.map(({ ref }) => ref);
  }

  async click(wanted: Wanted, more: { nth?: number; point?: { x: number; y: number } } = {}): Promise<void> {
    const ref = (await this.refs(wanted))[more.nth ?? 0] as string;
    const target = more.point ? { ref, point: more.point } : { ref };
    await this.client.act({ type: "click", target });
  }

  async type(wanted: Wanted, text: string): Promise<void> {
    const [ref = ""] = await this.refs(wanted);
    await this.client.act({ type: "type", target: { ref }, text });
  }

  async press(key: string, wanted?: Wanted): Promise<void> {
    const [ref = ""] = wanted ? await this.refs(wanted) : [];
    await this.client.act({ type: "press", key, ...(wanted ? { target: { ref } } : {}) });
  }

  async hover(wanted: Wanted): Promise<void> {
    const [ref = ""] = await this.refs(wanted);
    await this.client.act({ type: "hover", target: { ref } });
  }

  async drag(from: Wanted, to: Wanted): Promise<void> {
    const [source = ""] = await this.refs(from);
    const [target = ""] = await this.refs(to);
    await this.client.act({ type: "drag", source: { ref: source }, target: { ref: target } });
  }

  async clickText(text: string): Promise<void> {
    await this.client.act({ type: "click", target: { text } });
  }

  /** Waits until the page shows a text, and fails with what it shows instead. */
  async sees(text: string): Promise<void> {
    let shown = "";
    await until(async () => {
      shown = (await this.client.observe()).text;
      return shown.includes(text);
    }, 5_000).catch(() => {
      throw new Error(`the page does not show ${JSON.stringify(text)}:\n${shown}`);
    });
  }
}
