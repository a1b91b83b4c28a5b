import type { Entry } from "../../timeline/timeline.js";

/** Messages that describe the page, for agents that join before it is back. */
export const DESCRIBING: ReadonlySet<string> = new Set(["hello", "navigation", "capabilities"]);

/**
 * Which stored texts describe the page of a session: those with the first and the newest `hello` of its page load, with its newest
 * address and its capabilities. A hub that takes the session over reads these few and not all.
 */
export class PageTexts {
  private instanceId: string | undefined;
  private readonly numbers = new Map<string, number>();

  /** Records were stored with this number. */
  add(number: number, entries: readonly Entry[]): void {
    for (const { type, json } of entries) {
      if (!DESCRIBING.has(type)) continue;
      if (type === "hello") this.startPage(number, instanceIdOf(json));
      this.numbers.set(type, number);
    }
  }

  /** Their numbers, the lowest first. */
  list(): number[] {
    return [...new Set(this.numbers.values())].sort((a, b) => a - b);
  }

  /** What was said of another page load does not describe this one. */
  private startPage(number: number, instanceId: string | undefined): void {
    if (instanceId !== undefined && instanceId === this.instanceId) return;
    this.instanceId = instanceId;
    this.numbers.clear();
    this.numbers.set("first hello", number);
  }
}

function instanceIdOf(json: string): string | undefined {
  try {
    const { instanceId } = JSON.parse(json) as { instanceId?: unknown };
    return typeof instanceId === "string" ? instanceId : undefined;
  } catch {
    return undefined;
  }
}
