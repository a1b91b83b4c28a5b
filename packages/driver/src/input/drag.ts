import type { Point } from "@debug-bridge/page";
import type { CdpSession } from "../cdp.js";

const STEPS = 5;
/** Far enough for a browser to treat it as a drag. */
const GRAB = { x: 6, y: 6 };
/** A move that is not answered by then belongs to a drag of the browser's own, which answers no further moves. */
const MOVE_MS = 150;
const HELD = { button: "left", buttons: 1 } as const;

/** Something that is held by the mouse: by the browser's own drag and drop where it starts one, else by the pointer. */
export class Drag {
  private data: unknown;
  private wake: () => void = () => {};
  private readonly stop: () => void;

  private constructor(
    private readonly cdp: CdpSession,
    private at: Point,
  ) {
    this.stop = cdp.on("Input.dragIntercepted", (event: { data: unknown }) => {
      this.data = event.data;
      this.wake();
    });
  }

  static async begin(cdp: CdpSession, at: Point): Promise<Drag> {
    await cdp.send("Input.setInterceptDrags", { enabled: true });
    const drag = new Drag(cdp, at);
    await drag.mouse("mouseMoved", at);
    await drag.mouse("mousePressed", at, { ...HELD, clickCount: 1 });
    await drag.move({ x: at.x + GRAB.x, y: at.y + GRAB.y });
    return drag;
  }

  /** Releases it at this point, or where it is when no point is given. */
  async drop(to: Point = this.at): Promise<void> {
    try {
      const from = this.at;
      for (let step = 1; step <= STEPS && this.data === undefined; step++) {
        const part = step / STEPS;
        await this.move({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
      }
      if (this.data !== undefined) {
        for (const type of ["dragEnter", "dragOver", "drop"])
          await this.cdp.send("Input.dispatchDragEvent", { type, ...to, data: this.data });
      }
      await this.mouse("mouseReleased", to, { button: "left", clickCount: 1 });
    } finally {
      this.stop();
      await this.cdp.send("Input.setInterceptDrags", { enabled: false }).catch(() => {});
    }
  }

  private async move(to: Point): Promise<void> {
    this.at = to;
    const moved = this.mouse("mouseMoved", to, HELD);
    const intercepted = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    await Promise.race([moved, intercepted, pause(MOVE_MS)]);
  }

  private async mouse(type: string, { x, y }: Point, more: object = {}): Promise<void> {
    await this.cdp.send("Input.dispatchMouseEvent", { type, x, y, ...more });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
