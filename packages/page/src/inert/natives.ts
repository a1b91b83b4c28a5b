/**
 * The platform as it was when this module loaded: in the extension, before any script of the page. What the page
 * replaces later (on prototypes too) must neither break this code nor observe it, so the code in this folder calls
 * nothing that is looked up at run time: no methods on arrays or strings, no iteration with `for … of` or spread, no
 * object with a prototype where the platform reads optional members. Nor does it match with regular expressions: each
 * match would change `RegExp.$1` for the page.
 */
const { bind, call } = Function.prototype;

/** `slice(text, 1)` for `text.slice(1)`: a bound function looks nothing up. */
export const uncurry = bind.bind(call as never) as unknown as <This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
) => (self: This, ...args: Args) => Result;

/** The getter of a platform property as a function; if it does not exist, one that returns `undefined`. */
export function getterOf<Value>(owner: object | undefined, name: PropertyKey): (self: unknown) => Value {
  const getter = owner && Reflect.getOwnPropertyDescriptor(owner, name)?.get;
  return (getter ? uncurry(getter) : () => undefined) as (self: unknown) => Value;
}

export const { apply, getOwnPropertyDescriptor, getPrototypeOf, defineProperty, construct } = Reflect;
export const { keys: keysOf, hasOwn, getOwnPropertySymbols } = Object;
export const { isArray } = Array;
export const { stringify, parse } = JSON;
export const decodeUri = decodeURIComponent;
export const { isFinite: isFiniteNumber } = Number;
export const { floor, min, max } = Math;
/** The global object, whatever the page puts under its name later. */
export const world: typeof globalThis = globalThis;
export const asSigned = BigInt.asIntN;
export const epochNow = Date.now;
export const NativeProxy = Proxy;
export const NativeMap = Map;
export const NativeWeakMap = WeakMap;

const clock = performance;
const clockNow = /* @__PURE__ */ uncurry(clock.now);
/** Milliseconds, with fractions. */
export const now = (): number => clockNow(clock);

export const sliceText = /* @__PURE__ */ uncurry(String.prototype.slice);
export const indexOfText = /* @__PURE__ */ uncurry(String.prototype.indexOf);
export const lastIndexOfText = /* @__PURE__ */ uncurry(String.prototype.lastIndexOf);
export const codeAt = /* @__PURE__ */ uncurry(String.prototype.charCodeAt);
export const lowerCase = /* @__PURE__ */ uncurry(String.prototype.toLowerCase);
export const symbolText = /* @__PURE__ */ uncurry(Symbol.prototype.toString);
export const bigintText = /* @__PURE__ */ uncurry(BigInt.prototype.toString);
export const fixedText = /* @__PURE__ */ uncurry(Number.prototype.toFixed);

export const mapGet = /* @__PURE__ */ uncurry(Map.prototype.get) as <V>(
  map: Map<unknown, V>,
  key: unknown,
) => V | undefined;
export const mapSet = /* @__PURE__ */ uncurry(Map.prototype.set) as <V>(
  map: Map<unknown, V>,
  key: unknown,
  value: V,
) => void;
export const mapDelete = /* @__PURE__ */ uncurry(Map.prototype.delete) as (
  map: Map<unknown, unknown>,
  key: unknown,
) => boolean;
export const weakGet = /* @__PURE__ */ uncurry(WeakMap.prototype.get) as <V>(
  map: WeakMap<object, V>,
  key: unknown,
) => V | undefined;
export const weakSet = /* @__PURE__ */ uncurry(WeakMap.prototype.set) as <V>(
  map: WeakMap<object, V>,
  key: object,
  value: V,
) => void;

/** The intrinsic constructor: V8 reads the limit and the formatter of stacks from it, whatever `Error` is now. */
export const NativeError = Error as unknown as {
  new (): Error;
  stackTraceLimit?: unknown;
  prepareStackTrace?: unknown;
  isError?: (value: unknown) => boolean;
  captureStackTrace(holder: object, until?: unknown): void;
};
export const { captureStackTrace } = NativeError;
export const isError = NativeError.isError;
/** How V8 exposes stacks: a pair of accessors on each error, whose getter runs no code of the page. */
export const stackGetter = getOwnPropertyDescriptor(new NativeError(), "stack")?.get;

/** `owner[key] = value`, even when the page put a setter for that key on the prototype, and for `__proto__`. */
export function putAt(owner: object, key: PropertyKey, value: unknown): void {
  defineProperty(owner, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor);
}
