import { BridgeError } from "@debug-bridge/protocol";
import { steadyNow } from "../../bounds/steady-clock.js";
import { QUEUE_LIMITS, WORK_MS, type WorkItem, type WorkQueue } from "../bus.js";

interface Waiting {
  readonly text: string;
  readonly at: number;
  attempt: number;
}

/** A queue in memory: of a bus in memory, and of a hub that has no bus. */
export class MemoryQueue implements WorkQueue {
  private readonly waiting = new Map<string, Waiting[]>();
  private size = 0;

  async put(key: string, text: string): Promise<void> {
    if (this.size >= QUEUE_LIMITS.texts) throw queueFull();
    this.size++;
    this.of(key).push({ text, at: steadyNow(), attempt: 0 });
  }

  async keys(): Promise<string[]> {
    return [...this.waiting].filter(([, texts]) => texts.length > 0).map(([key]) => key);
  }

  async claim(key: string): Promise<WorkItem | undefined> {
    const texts = this.of(key);
    let next = texts.shift();
    while (next && steadyNow() - next.at > QUEUE_LIMITS.ageMs) {
      this.size--;
      next = texts.shift();
    }
    if (texts.length === 0) this.waiting.delete(key);
    return next && this.work(key, next);
  }

  private work(key: string, waiting: Waiting): WorkItem {
    waiting.attempt++;
    let isOver = false;
    const giveBack = (): void => {
      if (isOver) return;
      end();
      this.of(key).unshift(waiting);
    };
    let timer = setTimeout(giveBack, WORK_MS).unref();
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
    };
    return {
      text: waiting.text,
      attempt: waiting.attempt,
      keep: () => {
        if (isOver) return;
        clearTimeout(timer);
        timer = setTimeout(giveBack, WORK_MS).unref();
      },
      done: async () => {
        if (isOver) return;
        end();
        this.size--;
      },
      giveBack: (afterMs = 0) => {
        if (isOver) return;
        clearTimeout(timer);
        if (afterMs === 0) giveBack();
        else timer = setTimeout(giveBack, afterMs).unref();
      },
    };
  }

  private of(key: string): Waiting[] {
    const texts = this.waiting.get(key) ?? [];
    this.waiting.set(key, texts);
    return texts;
  }
}

export function queueFull(): BridgeError {
  return new BridgeError(
    "rate_limit",
    `${QUEUE_LIMITS.texts} requests wait for a browser, which is the limit; try again later`,
  );
}
