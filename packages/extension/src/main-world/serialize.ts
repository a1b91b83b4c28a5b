import { CONSOLE_LIMITS, MASK } from "@debug-bridge/protocol";
import {
  ARRAY_PROTOTYPE,
  classNameOf,
  functionName,
  type Kind,
  kindOf,
  OBJECT_PROTOTYPE,
  ownData,
} from "./class-of.js";
import { describeNode } from "./dom.js";
import { errorCause, errorStack, errorText, looksLikeError } from "./errors.js";
import { type Job, leave, take } from "./job.js";
import { keyList, type Member, mapEntries, setItems, typedItems } from "./members.js";
import {
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isFiniteNumber,
  symbolText,
} from "./natives.js";
import { targetOf } from "./proxies.js";
import { isSecretName, maskText } from "./secrets.js";
import { bigintDigits, numberText, oneValueText } from "./special.js";
import { cut, quote } from "./text.js";

/** The objects around the one that is written, innermost first. */
interface Above {
  readonly value: object;
  readonly above: Above | null;
}

const { stringBytes: STRING, depth: DEPTH, objectKeys: KEYS, arrayItems: ITEMS } = CONSOLE_LIMITS;
const NAME_LENGTH = 200;
const MASKED = `{"type":"string","value":${quote(MASK)}}`;
const GETTER = '{"type":"object","value":"(getter)"}';
const UNREADABLE = '{"type":"object","value":"(cannot be read)"}';

/**
 * Any value as the JSON text of one console argument. It is written as text at once: objects in between would have
 * prototypes, and with those a page could put a `toJSON` into every one of them. Never throws and never calls code of
 * the page, but for traps of proxies that were made in another frame.
 */
export function serialize(value: unknown, job: Job): string {
  return write(value, 0, null, job);
}

function write(value: unknown, depth: number, above: Above | null, job: Job): string {
  switch (typeof value) {
    case "string":
      return textArg(value, job);
    case "number":
      return take(
        job,
        `{"type":"number","value":${isFiniteNumber(value) && !isNegativeZero(value) ? value : `"${numberText(value)}"`}}`,
      );
    case "boolean":
      return take(job, `{"type":"boolean","value":${value ? "true" : "false"}}`);
    case "undefined":
      return take(job, '{"type":"undefined"}');
    case "bigint": {
      const digits = bigintDigits(value);
      return take(
        job,
        digits
          ? `{"type":"number","value":"${digits}"}`
          : named("object", "BigInt", "(more than 10,000 digits)"),
      );
    }
    case "symbol":
      return take(job, named("object", "Symbol", cut(symbolText(value), STRING)));
    default:
      if (value === null) return take(job, '{"type":"null"}');
      try {
        return typeof value === "function"
          ? functionArg(value, job)
          : writeObject(value as object, depth, above, job);
      } catch {
        return take(job, UNREADABLE);
      }
  }
}

const isNegativeZero = (value: number): boolean => value === 0 && 1 / value < 0;

function textArg(value: string, job: Job): string {
  return take(job, `{"type":"string","value":${quote(maskText(cut(value, leave(job, STRING))))}}`);
}

function functionArg(value: object, job: Job): string {
  const fn = targetOf(value) ?? value;
  return take(job, `{"type":"function","name":${quote(cut(functionName(fn), NAME_LENGTH))}}`);
}

function named(type: "array" | "object", className: string, value: string): string {
  return `{"type":"${type}",${classField(className)}"value":${quote(value)}}`;
}

function classField(className: string): string {
  return className === "" || className === "Object" || className === "Array"
    ? ""
    : `"className":${quote(cut(className, NAME_LENGTH))},`;
}

function writeObject(given: object, depth: number, above: Above | null, job: Job): string {
  const target = targetOf(given);
  const value = target ?? given;
  for (let at = above; at !== null; at = at.above) {
    if (at.value === value)
      return take(job, `{"type":"circular",${classField(classNameOf(value))}"value":"[Circular]"}`);
  }
  return shown(value, target !== undefined, depth, { __proto__: null, value, above } as Above, job);
}

function shown(value: object, isProxy: boolean, depth: number, inner: Above, job: Job): string {
  const prototype = getPrototypeOf(value);
  const own = prototype === ARRAY_PROTOTYPE ? "Array" : classNameOf(value);
  const className = isProxy ? `Proxy(${own || "Object"})` : own;
  if (prototype === OBJECT_PROTOTYPE || prototype === null)
    return members(value, className, depth, inner, job);
  if (isArray(value)) return items(value, className, depth, inner, job);
  if (looksLikeError(value)) return errorArg(value, className, depth, inner, job);
  const kind = kindOf(value);
  if (kind) {
    try {
      const known = knownObject(value, kind, className, depth, inner, job);
      if (known !== undefined) return known;
    } catch {
      // It only pretends to be of that kind.
    }
  }
  return members(value, className, depth, inner, job);
}

function knownObject(
  value: object,
  kind: Kind,
  className: string,
  depth: number,
  above: Above,
  job: Job,
): string | undefined {
  switch (kind) {
    case "node": {
      const { tagName, html } = describeNode(value);
      return take(
        job,
        `{"type":"dom",${classField(className)}"tagName":${quote(cut(tagName, NAME_LENGTH))},"value":${quote(cut(html, leave(job, STRING)))}}`,
      );
    }
    case "map": {
      const { list, total } = mapEntries(value, KEYS);
      return depth >= DEPTH
        ? tooDeep("object", className, total, job)
        : record(list, total, className, depth, above, job);
    }
    case "set":
    case "typed": {
      const { list, total } = kind === "set" ? setItems(value, ITEMS) : typedItems(value, ITEMS);
      return depth >= DEPTH
        ? tooDeep("array", className, total, job)
        : sequence(list, total, className, depth, above, job);
    }
    default: {
      const text = oneValueText(value, kind, className);
      return text === undefined
        ? undefined
        : take(job, named("object", className, maskText(cut(text, leave(job, STRING)))));
    }
  }
}

function errorArg(value: object, className: string, depth: number, above: Above, job: Job): string {
  const stack = errorStack(value);
  const cause = depth < DEPTH ? errorCause(value) : undefined;
  let text = `{"type":"error",${classField(className)}"value":${quote(maskText(cut(errorText(value, className), leave(job, STRING))))}`;
  if (stack !== undefined) text += `,"stack":${quote(maskText(cut(stack, leave(job, STRING))))}`;
  take(job, text);
  if (cause) text += `,"cause":${write(cause.value, depth + 1, above, job)}`;
  return `${text}}`;
}

/** What lies deeper than the wire carries is named, with its size. */
function tooDeep(type: "array" | "object", className: string, size: number | undefined, job: Job): string {
  const name = className || (type === "array" ? "Array" : "Object");
  return take(job, named(type, className, size === undefined ? `[${name}]` : `[${name}(${size})]`));
}

function members(value: object, className: string, depth: number, above: Above, job: Job): string {
  if (depth >= DEPTH) return tooDeep("object", className, undefined, job);
  const keys = keyList(value);
  if (keys === undefined) return take(job, named("object", className, "(too many keys to list)"));
  return record(undefined, keys.length, className, depth, above, job, value, keys);
}

/** An object's members: given as a list, or read one by one as far as there is room. */
function record(
  list: readonly Member[] | undefined,
  total: number,
  className: string,
  depth: number,
  above: Above,
  job: Job,
  owner?: object,
  keys?: readonly PropertyKey[],
): string {
  let text = "";
  let written = 0;
  const count = list ? list.length : total;
  for (; written < count && written < KEYS && job.room > 0 && !job.late(); written++) {
    const key = list ? (list[written] as Member).name : (keys as readonly PropertyKey[])[written];
    const name = cut(typeof key === "symbol" ? symbolText(key) : (key as string), NAME_LENGTH);
    take(job, name);
    text += `${written === 0 ? "" : ","}${quote(name)}:`;
    if (isSecretName(name)) text += MASKED;
    else if (list) text += write((list[written] as Member).value, depth + 1, above, job);
    else text += property(owner as object, key as PropertyKey, depth, above, job);
  }
  return `{"type":"object",${classField(className)}${omittedField(total - written)}"value":{${text}}}`;
}

function property(owner: object, key: PropertyKey, depth: number, above: Above, job: Job): string {
  const described = getOwnPropertyDescriptor(owner, key);
  if (described === undefined) return take(job, '{"type":"undefined"}');
  return hasOwn(described, "value") ? write(described.value, depth + 1, above, job) : take(job, GETTER);
}

function items(value: readonly unknown[], className: string, depth: number, above: Above, job: Job): string {
  const length = ownData(value, "length");
  const total = typeof length === "number" ? length : 0;
  if (depth >= DEPTH) return tooDeep("array", className, total, job);
  return sequence(undefined, total, className, depth, above, job, value);
}

function sequence(
  list: readonly unknown[] | undefined,
  total: number,
  className: string,
  depth: number,
  above: Above,
  job: Job,
  owner?: object,
): string {
  let text = "";
  let written = 0;
  const count = list ? list.length : total;
  for (; written < count && written < ITEMS && job.room > 0 && !job.late(); written++) {
    if (written > 0) text += ",";
    text += list
      ? write(list[written], depth + 1, above, job)
      : property(owner as object, `${written}`, depth, above, job);
  }
  return `{"type":"array",${classField(className)}${omittedField(total - written)}"value":[${text}]}`;
}

function omittedField(count: number): string {
  return count > 0 ? `"omitted":${count},` : "";
}
