import { truncate } from "@debug-bridge/protocol";
import { natives } from "./natives.js";

export interface SerializeLimits {
  readonly depth: number;
  /** Members and items in all. */
  readonly nodes: number;
  readonly string: number;
  /** Runs no code of the app: getters are named, not read; reactive objects do not notice that they were read. */
  readonly inert?: boolean;
}

const TEXT_LIMITS: SerializeLimits = { depth: 6, nodes: 500, string: 10_240, inert: true };
const DATA_LIMITS: SerializeLimits = { depth: 24, nodes: 20_000, string: 65_536 };

/** Looks at every key and string on the way, before they are joined into text where they would be hard to find. */
export interface Censor {
  /** At most so many characters of the text, without the secrets in it. */
  fit(text: string, most: number): string;
  /** True when the value of this key must not be seen. */
  hides(key: string, value: unknown): boolean;
  readonly mask: string;
}

/**
 * Any value as data that JSON can hold: no cycles, no functions, bounded in depth, count and length, and read without
 * ever throwing (getters and proxies of the app may).
 *
 * @example toData({ when: new Date(0), self: window }) // { when: "1970-01-01T00:00:00.000Z", self: "[Window]" }
 */
export function toData(value: unknown, censor?: Censor, limits: SerializeLimits = DATA_LIMITS): unknown {
  let nodes = 0;
  const above = new Set<object>();

  const fit = fitter(censor, limits);

  const read = (owner: object, key: string, named = true): unknown => {
    try {
      const described = limits.inert ? Object.getOwnPropertyDescriptor(owner, key) : undefined;
      if (described && !("value" in described)) return described.get ? "[Getter]" : "[Setter]";
      const value = described ? described.value : (owner as Record<string, unknown>)[key];
      return named && censor?.hides(key, value) ? censor.mask : visit(value);
    } catch (thrown) {
      return `[threw ${describeError(thrown)}]`;
    }
  };

  const visit = (given: unknown): unknown => {
    if (given === null || typeof given === "boolean") return given;
    if (typeof given === "string") return fit(given);
    if (typeof given === "number") return Number.isFinite(given) ? given : String(given);
    if (typeof given !== "object") return primitiveText(given);
    const current = limits.inert ? rawOf(given) : given;
    const special = specialText(current);
    if (special !== undefined) return fit(special);
    if (above.has(current)) return "[Circular]";
    if (above.size >= limits.depth)
      return Array.isArray(current) ? `[Array(${current.length})]` : `[${classOf(current)}]`;
    above.add(current);
    try {
      return container(current);
    } finally {
      above.delete(current);
    }
  };

  const container = (current: object): unknown => {
    if (current instanceof Map) {
      const out: Record<string, unknown> = {};
      for (const [key, item] of current) {
        if (++nodes > limits.nodes) break;
        const name = typeof key === "string" ? key : toText(key);
        out[name] = censor?.hides(name, item) ? censor.mask : visit(item);
      }
      return out;
    }
    const list = current instanceof Set ? [...current] : Array.isArray(current) ? current : undefined;
    if (list) {
      const out: unknown[] = [];
      for (let i = 0; i < list.length; i++) {
        if (++nodes > limits.nodes) {
          out.push(`… [${list.length - i} more items]`);
          break;
        }
        out.push(read(list, String(i), false));
      }
      return out;
    }
    if (!limits.inert) {
      const { toJSON } = current as { toJSON?: unknown };
      if (typeof toJSON === "function") return visit(toJSON.call(current));
    }
    const out: Record<string, unknown> = {};
    const keys = Object.keys(current);
    for (const [i, key] of keys.entries()) {
      if (++nodes > limits.nodes) {
        out["…"] = `[${keys.length - i} more keys]`;
        break;
      }
      const item = read(current, key);
      if (item !== undefined) out[key] = item;
    }
    return out;
  };

  try {
    return visit(value);
  } catch (thrown) {
    return `[threw ${describeError(thrown)}]`;
  }
}

/**
 * Any value as one text, the way a console shows it: a string as it is, an error with its stack, the rest as JSON.
 * Unless the limits say otherwise, no code of the app runs for it.
 *
 * @example toText({ a: 1n }) // '{"a":"1n"}'
 */
export function toText(value: unknown, censor?: Censor, limits: SerializeLimits = TEXT_LIMITS): string {
  try {
    const fit = fitter(censor, limits);
    const written = (object: object): string =>
      fit(specialText(object) ?? natives.stringify(toData(object, censor, limits)));
    if (typeof value === "string") return fit(value);
    if (typeof value !== "object" || value === null) return primitiveText(value);
    return limits.inert ? untracked(() => written(rawOf(value))) : written(value);
  } catch (thrown) {
    return `[threw ${describeError(thrown)}]`;
  }
}

function fitter(censor: Censor | undefined, { string }: SerializeLimits): (text: string) => string {
  return (text) => (censor ? censor.fit(text, string) : truncate(text, string));
}

/**
 * What a reactive proxy stands for. Read through the proxy, an object would become something that the effect which
 * logs it depends on. Vue keeps the raw object under a name; MobX keeps the values under a symbol.
 */
function rawOf(value: object): object {
  try {
    const { __v_raw: raw } = value as { __v_raw?: unknown };
    if (typeof raw === "object" && raw !== null) return raw;
    const symbol = Object.getOwnPropertySymbols(value).find(
      ({ description }) => description === "mobx administration",
    );
    const values = symbol && (value as Record<symbol, { values_?: unknown }>)[symbol]?.values_;
    if (values instanceof Map)
      return new Map([...values].map(([key, box]) => [key, (box as { value_?: unknown }).value_]));
    return Array.isArray(values) ? values : value;
  } catch {
    return value;
  }
}

/** MobX takes note even of who asks for the symbols of an object; it does so for the derivation named here. */
function untracked<Value>(run: () => Value): Value {
  const mobx = (globalThis as { __mobxGlobals?: { trackingDerivation: unknown } }).__mobxGlobals;
  if (!mobx) return run();
  const { trackingDerivation } = mobx;
  mobx.trackingDerivation = null;
  try {
    return run();
  } finally {
    mobx.trackingDerivation = trackingDerivation;
  }
}

/** The message of whatever was thrown; `unknown_error` when it has none. */
export function describeError(thrown: unknown): string {
  try {
    const message = (thrown as { message?: unknown } | null | undefined)?.message ?? thrown;
    const text = typeof message === "object" ? "" : String(message);
    return text === "" || text === "undefined" || text === "null" ? "unknown_error" : text;
  } catch {
    return "unknown_error";
  }
}

function primitiveText(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[Function ${value.name || "anonymous"}]`;
  return String(value);
}

function classOf(value: object): string {
  try {
    return (Object.getPrototypeOf(value)?.constructor?.name as string) || "Object";
  } catch {
    return "Object";
  }
}

/** Values that say more as a line of text than by their members. */
function specialText(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Most objects are none of these, and asking them for the members of a node would run their getters.
  if (prototype === null || prototype === Object.prototype || Array.isArray(value)) return undefined;
  const tag = Object.prototype.toString.call(value);
  if (value instanceof Error || tag === "[object Error]") return errorText(value as Error);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return "[Promise]";
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return `[${classOf(value)} ${value.byteLength} bytes]`;
  if (value instanceof URL || tag === "[object Location]") return (value as URL).href;
  if (isNode(value)) return nodeText(value as Element);
  if (tag === "[object Window]") return "[Window]";
  if (value instanceof WeakMap || value instanceof WeakSet) return `[${classOf(value)}]`;
  return undefined;
}

/** By the platform's own getter, which knows nodes of every document and runs no code of the app. */
function isNode(value: object): boolean {
  try {
    const { get } = Object.getOwnPropertyDescriptor(globalThis.Node.prototype, "nodeType") ?? {};
    return typeof get?.call(value) === "number";
  } catch {
    return false;
  }
}

function errorText(error: Error): string {
  const head = `${error.name}: ${error.message}`;
  const stack = stackOf(error);
  if (stack === "") return head;
  return stack.includes(error.message) ? stack : `${head}\n${stack}`;
}

/** The stack as text. An app may have its own `Error.prepareStackTrace`, which yields anything, or throws. */
export function stackOf(error: unknown): string {
  try {
    const { stack } = error as Error;
    return typeof stack === "string" ? stack : "";
  } catch {
    return "";
  }
}

function nodeText(node: Element): string {
  if (node.nodeType !== 1) return `[${node.nodeName}]`;
  const id = node.id ? `#${node.id}` : "";
  const classes =
    typeof node.className === "string" && node.className
      ? `.${node.className.trim().split(/\s+/).join(".")}`
      : "";
  return `<${node.localName}${id}${classes}>`;
}
