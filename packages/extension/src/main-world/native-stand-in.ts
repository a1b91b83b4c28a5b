import {
  apply,
  defineProperty,
  getOwnPropertyDescriptor,
  NativeProxy,
  uncurry,
  weakGet,
} from "@debug-bridge/page/inert";
import { shared, shareStandIn } from "./frame-sharing.js";
import { again, asIfAlone } from "./own-frames.js";

type AnyFunction = (...args: unknown[]) => unknown;

const sourceOf = uncurry(Function.prototype.toString);

/** Gets the arguments as its own array. */
type Trap = (target: AnyFunction, self: unknown, args: unknown[]) => unknown;

/**
 * Puts `trap` before a function of the platform. The property stays as it was, and what is in it has the same name,
 * length, members and printed source. The trap is called by the proxy itself: each frame of ours under the platform's
 * function costs time, since the console looks at the stack.
 */
export function standIn(owner: object, key: string, trap: Trap): void {
  replace(owner, key, { __proto__: null, apply: trap } as object);
}

/** The same for a constructor; a plain call goes to the original. */
export function standInForConstructor(
  owner: object,
  key: string,
  trap: (args: unknown[], newTarget: AnyFunction) => object,
): void {
  const handler = {
    __proto__: null,
    construct: (target: AnyFunction, args: unknown[], newTarget: AnyFunction): object => {
      const maker = newTarget === proxy ? target : newTarget;
      try {
        return trap(args, maker);
      } catch (thrown) {
        throw again(() => trap(args, maker)) ?? thrown;
      }
    },
  };
  const proxy = replace(owner, key, handler);
}

function replace(owner: object, key: string, handler: object): AnyFunction | undefined {
  const described = getOwnPropertyDescriptor(owner, key);
  const original: unknown = described?.value;
  if (typeof original !== "function" || !described?.configurable) return undefined;
  const proxy = new NativeProxy(original as AnyFunction, handler);
  shareStandIn(proxy, sourceOf(original as AnyFunction));
  defineProperty(owner, key, {
    __proto__: null,
    value: proxy,
    writable: described.writable ?? true,
    enumerable: described.enumerable ?? true,
    configurable: true,
  } as PropertyDescriptor);
  return proxy;
}

/** Without this, a replacement would print as a function without a name. */
export function standInForToString(): void {
  standIn(
    Function.prototype,
    "toString",
    (target, self, args) => weakGet(shared.sources, self) ?? asIfAlone(() => apply(target, self, args)),
  );
}
