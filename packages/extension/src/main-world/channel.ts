import { COUNT, DROPPED, DROPPING, EVENT, OFFER, STOP } from "../bus.js";
import { getterOf, uncurry } from "./natives.js";

const listen = uncurry(EventTarget.prototype.addEventListener);
const unlisten = uncurry(EventTarget.prototype.removeEventListener);
const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
const relatedTarget = getterOf<EventTarget | null>(MouseEvent.prototype, "relatedTarget");
const NativeCustomEvent = CustomEvent;
const meeting: EventTarget = document.fonts;

/** The page's end of the bus (see bus.ts). */
export class Channel {
  private bus: EventTarget | undefined;
  /** Answers how many events were dropped since the last question. */
  onCount: () => number = () => 0;
  onStop: () => void = () => {};

  constructor() {
    const accept = (event: Event): void => {
      unlisten(meeting, OFFER, accept);
      const bus = relatedTarget(event);
      if (bus === null) return;
      this.bus = bus;
      listen(bus, COUNT, () => this.dispatch(DROPPED, `${this.onCount()}`));
      listen(bus, STOP, () => this.onStop());
    };
    listen(meeting, OFFER, accept);
  }

  send(text: string): void {
    if (this.bus) this.dispatch(EVENT, text);
  }

  /** Says that events are being dropped; how many is asked for later. */
  sayDropping(): void {
    this.dispatch(DROPPING, "");
  }

  private dispatch(type: string, detail: string): void {
    if (this.bus)
      dispatch(this.bus, new NativeCustomEvent(type, { __proto__: null, detail } as CustomEventInit));
  }
}
