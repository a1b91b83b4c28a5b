import { getterOf, uncurry } from "@debug-bridge/page/inert";
import { COUNT, DROPPED, DROPPING, EVENT, OFFER, PARENT, SHARE, STOP } from "../bus.js";

const listen = uncurry(EventTarget.prototype.addEventListener);
const unlisten = uncurry(EventTarget.prototype.removeEventListener);
const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
const relatedTarget = getterOf<EventTarget | null>(MouseEvent.prototype, "relatedTarget");
const NativeCustomEvent = CustomEvent;
const detailOf = getterOf<Asked | null>(CustomEvent.prototype, "detail");
const meeting: EventTarget = document.fonts;

/** What a frame asks of its parent, and the answer. An object may pass here, since both ends are in the page's world. */
interface Asked {
  sources: unknown;
  targets: unknown;
}

function queryParent(parent: EventTarget): Asked {
  const asked = { __proto__: null, sources: undefined, targets: undefined } as Asked;
  dispatch(parent, new NativeCustomEvent(SHARE, { __proto__: null, detail: asked } as CustomEventInit));
  return asked;
}

/** The page's end of the bus (see bus.ts). */
export class Channel {
  private bus: EventTarget | undefined;
  /** Returns how many events were dropped since the last call. */
  onCount: () => number = () => 0;
  onStop: () => void = () => {};
  /** A frame inside asks for the shared maps, which are written into `asked`. */
  onShare: (asked: Asked) => void = () => {};
  /** There is a parent of the same origin; `ask` asks it. */
  onParent: (ask: () => Asked) => void = () => {};

  constructor() {
    const accept = (event: Event): void => {
      unlisten(meeting, OFFER, accept);
      const bus = relatedTarget(event);
      if (bus === null) return;
      this.bus = bus;
      listen(bus, COUNT, () => this.dispatch(DROPPED, `${this.onCount()}`));
      listen(bus, STOP, () => this.onStop());
      listen(bus, SHARE, (event) => {
        const asked = detailOf(event);
        if (asked) this.onShare(asked);
      });
      listen(bus, PARENT, (event) => {
        const parent = relatedTarget(event);
        if (parent) this.onParent(() => queryParent(parent));
      });
    };
    listen(meeting, OFFER, accept);
  }

  send(text: string): void {
    if (this.bus) this.dispatch(EVENT, text);
  }

  /** Reports that events are being dropped; their count follows later. */
  reportDropping(): void {
    this.dispatch(DROPPING, "");
  }

  private dispatch(type: string, detail: string): void {
    if (this.bus)
      dispatch(this.bus, new NativeCustomEvent(type, { __proto__: null, detail } as CustomEventInit));
  }
}
