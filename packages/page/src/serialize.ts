import { truncate } from "@debug-bridge/protocol";
import { natives } from "./natives.js";

export interface SerializeLimits {
  readonly depth: number;
  /** Members and items in all. */
  readonly nodes: number;
  readonly string: number;
}

const TEXT_LIMITS: SerializeLimits = { depth: 6, nodes: 500, string: 10_240 };
const DATA_LIMITS: SerializeLimits = { depth: 24, nodes: 20_000, string: 65_536 };

/** Looks at every key and string on the way, before they are joined into text where they would be hard to find. */
export interface Censor {
  /** The text without the secrets in it. */
  text(text: string): string;
  /** True when the value of this key must not be seen. */
  hides(key: string): boolean;
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

  const read = (owner: object, key: string): unknown => {
    try {
      return visit((owner as Record<string, unknown>)[key]);
    } catch (thrown) {
      return `[threw ${describeError(thrown)}]`;
    }
  };

  const visit = (current: unknown): unknown => {
    if (current === null || typeof current === "boolean") return current;
    if (typeof current === "string") return truncate(censor?.text(current) ?? current, limits.string);
    if (typeof current === "number") return Number.isFinite(current) ? current : String(current);
    if (typeof current !== "object") return primitiveText(current);
    const special = specialText(current);
    if (special !== undefined) return truncate(special, limits.string);
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
        out[name] = censor?.hides(name) ? censor.mask : visit(item);
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
        out.push(read(list, String(i)));
      }
      return out;
    }
    const { toJSON } = current as { toJSON?: unknown };
    if (typeof toJSON === "function") return visit(toJSON.call(current));
    const out: Record<string, unknown> = {};
    const keys = Object.keys(current);
    for (const [i, key] of keys.entries()) {
      if (++nodes > limits.nodes) {
        out["…"] = `[${keys.length - i} more keys]`;
        break;
      }
      const item = censor?.hides(key) ? censor.mask : read(current, key);
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
 *
 * @example toText({ a: 1n }) // '{"a":"1n"}'
 */
export function toText(value: unknown, censor?: Censor, limits: SerializeLimits = TEXT_LIMITS): string {
  try {
    if (typeof value === "string") return truncate(value, limits.string);
    if (typeof value !== "object" || value === null) return primitiveText(value);
    const special = specialText(value);
    return truncate(special ?? natives.stringify(toData(value, censor, limits)), limits.string);
  } catch (thrown) {
    return `[threw ${describeError(thrown)}]`;
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
  if (value instanceof Error || Object.prototype.toString.call(value) === "[object Error]")
    return errorText(value as Error);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return "[Promise]";
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return `[${classOf(value)} ${value.byteLength} bytes]`;
  const node = value as Partial<Element>;
  if (typeof node.nodeType === "number" && typeof node.nodeName === "string")
    return nodeText(node as Element);
  if (typeof window !== "undefined" && (value === window || (value as Window).window === value))
    return "[Window]";
  if (value instanceof WeakMap || value instanceof WeakSet) return `[${classOf(value)}]`;
  return undefined;
}

function errorText(error: Error): string {
  const head = `${error.name}: ${error.message}`;
  const stack = typeof error.stack === "string" ? error.stack : "";
  if (stack === "") return head;
  return stack.includes(error.message) ? stack : `${head}\n${stack}`;
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
