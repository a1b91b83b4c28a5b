/** Runs in the isolated world of each captured document, right after the script in the page's world (see bus.ts). */
import { COUNT, DROPPED, DROPPING, EVENT, OFFER, PARENT, STOP } from "../bus.js";
import { WorkerLink } from "./link.js";

const bus = new EventTarget();
let dropped = 0;
const link = new WorkerLink({
  drainDropped: () => {
    dropped = 0;
    bus.dispatchEvent(new Event(COUNT));
    return dropped;
  },
  stop: () => {
    bus.dispatchEvent(new Event(STOP));
  },
});

bus.addEventListener(EVENT, (event) => {
  const { detail } = event as CustomEvent<unknown>;
  if (typeof detail === "string") link.add(detail);
});
bus.addEventListener(DROPPING, () => link.reportDropping());
bus.addEventListener(DROPPED, (event) => {
  dropped = Number((event as CustomEvent<unknown>).detail) || 0;
});
// A variable of the isolated world: our scripts in other frames see it, the page does not.
(globalThis as { debugBridgeBus?: EventTarget }).debugBridgeBus = bus;
document.fonts.dispatchEvent(new MouseEvent(OFFER, { relatedTarget: bus }));

const parentBus = busOfParent();
if (parentBus) bus.dispatchEvent(new MouseEvent(PARENT, { relatedTarget: parentBus }));

/**
 * The bus of the parent frame, if it has the same origin. A page that was loaded before the extension has none, and an
 * element with this id would be found instead.
 */
function busOfParent(): EventTarget | undefined {
  try {
    if (window.parent === window) return undefined;
    const found = (window.parent as { debugBridgeBus?: EventTarget }).debugBridgeBus;
    return Object.prototype.toString.call(found) === "[object EventTarget]" ? found : undefined;
  } catch {
    return undefined;
  }
}
