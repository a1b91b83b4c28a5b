import type { Guard } from "../guard.js";
import { whenIdle } from "../idle.js";
import { natives } from "../natives.js";
import type { Emit } from "../telemetry.js";
import type { PageView } from "./view.js";

/** At most two updates a second. */
const PAUSE_MS = 500;
const IDLE_MS = 250;
/** A whole tree follows differences this long after the last whole one, for readers that know no differences. */
const WHOLE_AFTER_MS = 2_000;
/** Large trees are sent whole more rarely: one more second for every so many items. */
const ITEMS_PER_SECOND = 300;

export interface TreeUpdatesOptions {
  readonly view: PageView;
  readonly emit: Emit;
  readonly guard: Guard;
  /** Runs with every update: other things that are worth looking at when the page changed. */
  readonly onTick: () => void;
  readonly enabled: boolean;
}

/** Sends the UI tree on its own: differences when there are any, never more often than the throttle allows. */
export class TreeUpdates {
  private live = false;
  private timer: number | undefined;
  private lastSent = Number.NEGATIVE_INFINITY;
  private lastWhole = Number.NEGATIVE_INFINITY;
  private sentVersion = 0;
  private wholeVersion = -1;

  constructor(private readonly options: TreeUpdatesOptions) {
    options.view.watch.listen(() => this.wake());
  }

  setLive(live: boolean): void {
    this.live = live;
    if (live) return;
    natives.clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Something may have changed. */
  wake(delay = PAUSE_MS - (natives.now() - this.lastSent)): void {
    if (!this.live || this.timer !== undefined) return;
    this.timer = natives.setTimeout(
      () =>
        whenIdle(
          this.options.guard.wrap(() => this.update()),
          IDLE_MS,
        ),
      Math.max(50, delay),
    );
  }

  /** Sends the whole tree now. */
  sendWhole(): void {
    const { tree } = this.options.view;
    tree.refresh();
    this.lastSent = this.lastWhole = natives.now();
    this.sentVersion = this.wholeVersion = tree.version;
    const items = tree.items();
    const truncated = items.length < tree.entries.length;
    this.options.emit({ type: "ui_tree", items, version: tree.version, ...(truncated ? { truncated } : {}) });
  }

  /** Sends the whole tree unless the last whole one still holds. */
  sendWholeIfOld(): void {
    if (this.options.view.tree.refresh().version !== this.wholeVersion) this.sendWhole();
  }

  private update(): void {
    this.timer = undefined;
    if (!this.live) return;
    this.options.onTick();
    if (!this.options.enabled) return;
    const { tree } = this.options.view;
    const { version } = tree.refresh();
    const sinceWhole = natives.now() - this.lastWhole;
    const wholeDue = WHOLE_AFTER_MS + (tree.entries.length / ITEMS_PER_SECOND) * 1_000;
    if (version === this.sentVersion) {
      if (this.wholeVersion !== version) {
        if (sinceWhole >= wholeDue) this.sendWhole();
        else this.wake(wholeDue - sinceWhole);
      }
      return;
    }
    const difference = tree.since(this.sentVersion);
    const size = difference
      ? difference.added.length + difference.changed.length + difference.removed.length
      : 0;
    if (!difference || size > tree.entries.length / 2 || sinceWhole >= wholeDue) {
      this.sendWhole();
      return;
    }
    this.lastSent = natives.now();
    this.options.emit({
      type: "ui_tree_delta",
      since: this.sentVersion,
      version,
      added: difference.added,
      changed: difference.changed.map(({ after }) => after),
      removed: difference.removed.map(({ id }) => id),
    });
    this.sentVersion = version;
    this.wake(wholeDue - sinceWhole);
  }
}
