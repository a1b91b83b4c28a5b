import type { Point } from "@debug-bridge/page";
import type { CdpSession } from "../cdp.js";

/** A move that is not answered by then belongs to a drag of the browser's own, which answers no further moves. */
const MOVE_MS = 150;
/** A busy browser takes longer to answer, or to report that such a drag began. It gets this time once. */
const FIRST_MOVE_MS = 2_000;
/** Far enough for a browser to treat it as a drag. */
const NUDGE = 6;
const DWELL_MS = 150;
const HELD = { button: "left", buttons: 1 } as const;

/** Something that is held by the mouse: by the browser's own drag and drop where it starts one, else by the pointer. */
export class Drag {
  private data: unknown;
  private patienceMs = FIRST_MOVE_MS;
  private wake: () => void = () => {};
  private readonly stop: () => void;

  private constructor(
    private readonly cdp: CdpSession,
    private readonly at: Point,
  ) {
    this.stop = cdp.on("Input.dragIntercepted", (event: { data: unknown }) => {
      this.data = event.data;
      this.wake();
    });
  }

  static async begin(cdp: CdpSession, at: Point, nudge: boolean): Promise<Drag> {
    await cdp.send("Input.setInterceptDrags", { enabled: true });
    const drag = new Drag(cdp, at);
    await drag.mouse("mouseMoved", at);
    await drag.mouse("mousePressed", at, { ...HELD, clickCount: 1 });
    if (nudge) await drag.move({ x: at.x + NUDGE, y: at.y + NUDGE });
    return drag;
  }

  /** Moves it through these points and releases it at the last; where it is when there is none. */
  async drop(way: readonly Point[] = []): Promise<void> {
    const to = way.at(-1) ?? this.at;
    try {
      let entered = false;
      for (const [index, point] of way.entries()) {
        if (this.data === undefined) await this.move(point);
        if (this.data === undefined) continue;
        // Lists move their items out of the way, and take nothing while these move.
        if (index === way.length - 1) await pause(DWELL_MS);
        // Each time: it may be above another frame now, which gets nothing else before. A page notices only the first.
        await this.dragEvent("dragEnter", point);
        entered = true;
        await this.dragEvent("dragOver", point);
      }
      if (entered) await this.dragEvent("drop", to);
      await this.mouse("mouseReleased", to, { button: "left", clickCount: 1 });
    } finally {
      this.stop();
      await this.cdp.send("Input.setInterceptDrags", { enabled: false }).catch(() => {});
    }
  }

  private async move(to: Point): Promise<void> {
    const intercepted = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    const moved = this.mouse("mouseMoved", to, HELD);
    const late = pause(this.patienceMs).then(() => {
      this.patienceMs = MOVE_MS;
    });
    await Promise.race([moved, intercepted, late]);
  }

  private async dragEvent(type: string, { x, y }: Point): Promise<void> {
    await this.cdp.send("Input.dispatchDragEvent", { type, x, y, data: this.data });
  }

  private async mouse(type: string, { x, y }: Point, more: object = {}): Promise<void> {
    await this.cdp.send("Input.dispatchMouseEvent", { type, x, y, ...more });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
