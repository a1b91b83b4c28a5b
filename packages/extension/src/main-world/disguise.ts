import {
  apply,
  captureStackTrace,
  defineProperty,
  getOwnPropertyDescriptor,
  NativeProxy,
  NativeWeakMap,
  uncurry,
  weakGet,
  weakSet,
} from "./natives.js";

type AnyFunction = (...args: unknown[]) => unknown;

/** What `Function.prototype.toString` says of each of our functions: what it says of the one it stands for. */
const sources: WeakMap<object, string> = new NativeWeakMap();
const sourceOf = uncurry(Function.prototype.toString);

/**
 * Puts `trap` before a function of the platform. The property stays as it was, and what stands in it has the same name,
 * length, members and printed source. `trap` gets the arguments as an array of its own, and itself, to cut stacks at.
 */
export function disguise<Owner extends object>(
  owner: Owner,
  key: keyof Owner & string,
  trap: (target: AnyFunction, self: unknown, args: unknown[], until: unknown) => unknown,
): void {
  const described = getOwnPropertyDescriptor(owner, key);
  const original: unknown = described?.value;
  if (typeof original !== "function" || !described?.configurable) return;
  const handler = {
    __proto__: null,
    apply: (target: AnyFunction, self: unknown, args: unknown[]): unknown =>
      trap(target, self, args, handler.apply),
  };
  const standIn = new NativeProxy(original as AnyFunction, handler as unknown as ProxyHandler<AnyFunction>);
  weakSet(sources, standIn, sourceOf(original as AnyFunction));
  defineProperty(owner, key, {
    __proto__: null,
    value: standIn,
    writable: described.writable ?? true,
    enumerable: described.enumerable ?? true,
    configurable: true,
  } as PropertyDescriptor);
}

/** Without this, a stand-in would print as a function without a name. */
export function disguiseSources(): void {
  disguise(Function.prototype, "toString", (target, self, args, until) => {
    const source = weakGet(sources, self);
    if (source !== undefined) return source;
    try {
      return apply(target, self, args);
    } catch (thrown) {
      // Thrown for what is no function; the page's stack shall not show that we were asked.
      captureStackTrace(thrown as object, until);
      throw thrown;
    }
  });
}
