import type { Guard } from "../guard.js";
import { hookFunction, type Unhook } from "./hook.js";
import { type Listening, MAX_LISTENERS } from "./start.js";

/** Follows `removeEventListener`: an element whose listeners are all gone no longer reacts. */
export function followRemovals(window: typeof globalThis, listening: Listening, guard: Guard): Unhook {
  return hookFunction(window.EventTarget.prototype, "removeEventListener", {
    call(original, self, args) {
      const result = Reflect.apply(original, self, args);
      guard.run(() => {
        const known = listening.get(self as Element);
        if (!known || known.length > MAX_LISTENERS) return;
        const left = known.filter(
          ([type, listener, options]) =>
            type !== args[0] || listener !== args[1] || isCapture(options) !== isCapture(args[2]),
        );
        if (left.length > 0) listening.set(self as Element, left);
        else listening.delete(self as Element);
      });
      return result;
    },
  });
}

const isCapture = (options: unknown): boolean =>
  options === true || (options as AddEventListenerOptions | null | undefined)?.capture === true;
