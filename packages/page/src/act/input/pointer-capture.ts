import type { Point } from "../../view/elements/visibility.js";
import { firePointer, viewOf } from "./events.js";

/** The pointer that `firePointer` moves. */
const OURS = 1;
const METHODS = ["setPointerCapture", "releasePointerCapture", "hasPointerCapture"] as const;

export interface PointerCapture {
  /** The element that captured the pointer. */
  readonly holder: Element | undefined;
  /** Releases the pointer, as the browser does when the button is released, and restores the methods. */
  end(point: Point): void;
}

/**
 * Lets the app capture the pointer of a drag. The browser does not know a pointer that exists only in dispatched
 * events, and refuses or ignores its capture. So during the drag these methods are implemented here.
 */
export function followCapture(near: Element, at: Point): PointerCapture {
  const { prototype } = viewOf(near).Element;
  const before = METHODS.map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name)] as const);
  let holder: Element | undefined;
  const setHolder = (next: Element | undefined, point: Point): void => {
    const last = holder;
    if (last === next) return;
    holder = next;
    if (last?.isConnected) firePointer(last, "lostpointercapture", { point });
    if (next) firePointer(next, "gotpointercapture", { point });
  };
  const { setPointerCapture, releasePointerCapture, hasPointerCapture } = prototype;
  const standIns: Pick<Element, (typeof METHODS)[number]> & ThisType<Element> = {
    setPointerCapture(id) {
      if (id === OURS) setHolder(this, at);
      else setPointerCapture.call(this, id);
    },
    releasePointerCapture(id) {
      if (id !== OURS) releasePointerCapture.call(this, id);
      else if (holder === this) setHolder(undefined, at);
    },
    hasPointerCapture(id) {
      return id === OURS ? holder === this : hasPointerCapture.call(this, id);
    },
  };
  for (const name of METHODS)
    Object.defineProperty(prototype, name, { value: standIns[name], configurable: true, writable: true });
  return {
    get holder() {
      return holder?.isConnected ? holder : undefined;
    },
    end(point) {
      for (const [name, described] of before)
        if (described && prototype[name] === standIns[name])
          Object.defineProperty(prototype, name, described);
      setHolder(undefined, point);
    },
  };
}
