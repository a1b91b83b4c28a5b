import type { Guard } from "../guard.js";
import { hookFunction, type Unhook } from "./hook.js";
import type { Listening } from "./start.js";

/** Follows `removeEventListener`: an element whose only listener is gone no longer reacts. */
export function followRemovals(window: typeof globalThis, listening: Listening, guard: Guard): Unhook {
  return hookFunction(window.EventTarget.prototype, "removeEventListener", {
    call(original, self, args) {
      const result = Reflect.apply(original, self, args);
      guard.run(() => {
        const [type, listener, options] = listening.get(self as Element) ?? [];
        if (type === args[0] && listener === args[1] && isCapture(options) === isCapture(args[2]))
          listening.delete(self as Element);
      });
      return result;
    },
  });
}

const isCapture = (options: unknown): boolean =>
  options === true || (options as AddEventListenerOptions | null | undefined)?.capture === true;
