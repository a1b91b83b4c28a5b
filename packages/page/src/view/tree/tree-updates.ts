import type { Guard } from "../../guard.js";
import { platform } from "../../inert/platform.js";
import { whenIdle } from "../../receipt/idle.js";
import type { Emit } from "../../telemetry.js";
import type { PageView } from "../view.js";
import { type Difference, isEmpty } from "./ui-tree-history.js";

/** At most two updates a second. */
const PAUSE_MS = 500;
const IDLE_MS = 250;
/** The first tree of a large page is built in pieces too short to notice; a page that is never idle gets it as well. */
const PIECE_MS = 8;
/** Selectors that other changes made wrong are corrected so much later, since that takes a look at every element. */
const CORRECTION_DELAY_MS = 5_000;
const MAX_PIECES = 30;
/** A large tree that is sent whole takes a longer pause: so much for every item. */
const PAUSE_PER_ITEM_MS = 1;

export interface TreeUpdatesOptions {
  readonly view: PageView;
  readonly emit: Emit;
  readonly guard: Guard;
  /** Runs with every update: other things that are worth looking at when the page changed. */
  readonly onTick: () => void;
  readonly enabled: boolean;
}

/** Sends the UI tree on its own when it changed, whole or as differences, never more often than the throttle allows. */
export class TreeUpdates {
  private live = false;
  private timer: number | undefined;
  private correcting: number | undefined;
  private lastSent = Number.NEGATIVE_INFINITY;
  private lastWhole = Number.NEGATIVE_INFINITY;
  private sentVersion = 0;
  private deltas = false;
  /** Whether differences were sent after the last whole tree. */
  private deltasSince = false;
  private preparing = false;

  constructor(private readonly options: TreeUpdatesOptions) {
    options.view.watch.listen(() => this.wake());
  }

  setLive(live: boolean): void {
    this.live = live;
    if (live) return;
    this.preparing = false;
    platform.clearTimeout(this.timer);
    platform.clearTimeout(this.correcting);
    this.timer = this.correcting = undefined;
  }

  /** Something may have changed. */
  wake(delay = PAUSE_MS - (platform.now() - this.lastSent)): void {
    if (!this.live || this.preparing || this.timer !== undefined) return;
    this.timer = platform.setTimeout(
      () =>
        whenIdle(
          this.options.guard.wrap(() => this.update()),
          IDLE_MS,
        ),
      Math.max(50, delay),
    );
  }

  /** Sends the whole tree: at once if that is little work, else after it was built piece by piece. */
  sendFirst(pieces = MAX_PIECES): void {
    this.preparing = true;
    if (pieces === 0 || this.options.view.tree.prepare(PIECE_MS)) {
      this.sendWhole();
      return;
    }
    const next = (): void => {
      if (this.preparing) this.sendFirst(pieces - 1);
    };
    whenIdle(this.options.guard.wrap(next), IDLE_MS);
  }

  /** Sends the whole tree now. */
  sendWhole(): void {
    const { tree } = this.options.view;
    this.preparing = false;
    tree.refreshAll();
    this.lastSent = this.lastWhole = platform.now();
    this.sentVersion = tree.version;
    this.deltasSince = false;
    const items = tree.items();
    const truncated = items.length < tree.entries.length;
    this.options.emit({ type: "ui_tree", items, version: tree.version, ...(truncated ? { truncated } : {}) });
  }

  /** Differences instead of whole trees, as long as everyone who reads them understands them. */
  setDeltas(deltas: boolean): void {
    this.deltas = deltas;
    // A reader that joined cannot rebuild the tree from differences.
    if (!deltas && this.deltasSince && this.live && this.options.enabled) this.sendWhole();
  }

  private update(): void {
    this.timer = undefined;
    if (!this.live) return;
    this.options.onTick();
    if (!this.options.enabled) return;
    const { tree } = this.options.view;
    tree.refresh();
    if (tree.areSelectorsOld) this.correctLater();
    if (tree.version === this.sentVersion) return;
    const difference = this.deltas ? tree.since(this.sentVersion) : undefined;
    // Only text is different.
    if (difference && isEmpty(difference)) return;
    if (difference && sizeOf(difference) <= tree.entries.length / 2) {
      this.sendDelta(difference);
      return;
    }
    const early = this.lastWhole + tree.entries.length * PAUSE_PER_ITEM_MS - platform.now();
    if (early > 0) this.wake(early);
    else this.sendWhole();
  }

  private correctLater(): void {
    const correct = (): void => {
      this.correcting = undefined;
      if (!this.live) return;
      this.options.view.tree.refreshAll();
      this.wake();
    };
    const { guard } = this.options;
    this.correcting ??= platform.setTimeout(
      () => whenIdle(guard.wrap(correct), IDLE_MS),
      CORRECTION_DELAY_MS,
    );
  }

  private sendDelta({ added, changed, removed }: Difference): void {
    const { version } = this.options.view.tree;
    this.lastSent = platform.now();
    this.options.emit({
      type: "ui_tree_delta",
      since: this.sentVersion,
      version,
      added,
      changed: changed.map(({ after }) => after),
      removed: removed.map(({ id }) => id),
    });
    this.sentVersion = version;
    this.deltasSince = true;
  }
}

function sizeOf({ added, changed, removed }: Difference): number {
  return added.length + changed.length + removed.length;
}
