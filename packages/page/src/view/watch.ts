import type { Guard } from "../guard.js";
import { platform } from "../inert/platform.js";
import type { Root } from "./elements/dom.js";

const EVERYTHING: MutationObserverInit = {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
};

/**
 * The one observer of the page's DOM. It only queues: listeners get the raw records and decide when to process them.
 */
export class DomWatch {
  private readonly observer: MutationObserver;
  private readonly roots = new WeakSet<Root>();
  private readonly listeners = new Set<(records: MutationRecord[]) => void>();
  /** When the page last moved. */
  lastChange = platform.now();

  constructor(
    guard: Guard,
    private readonly isOurs: (node: Node) => boolean,
  ) {
    this.observer = new platform.MutationObserver(guard.wrap((records) => this.deliver(records)));
  }

  observe(root: Root): void {
    if (this.roots.has(root)) return;
    this.roots.add(root);
    this.observer.observe(root, EVERYTHING);
  }

  listen(listener: (records: MutationRecord[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Delivers what the browser has queued and not handed out yet, so that nothing is read from before it. */
  flush(): void {
    const records = this.observer.takeRecords();
    if (records.length > 0) this.deliver(records);
  }

  stop(): void {
    this.observer.disconnect();
    this.listeners.clear();
  }

  private deliver(records: MutationRecord[]): void {
    const theirs = records.some((record) => this.concernsUs(record))
      ? records.filter((record) => !this.concernsUs(record))
      : records;
    if (theirs.length === 0) return;
    this.lastChange = platform.now();
    for (const listener of this.listeners) listener(theirs);
  }

  private concernsUs(record: MutationRecord): boolean {
    if (this.isOurs(record.target)) return true;
    if (record.type !== "childList") return false;
    const { addedNodes, removedNodes } = record;
    if (addedNodes.length + removedNodes.length !== 1) return false;
    return this.isOurs((addedNodes[0] ?? removedNodes[0]) as Node);
  }
}
