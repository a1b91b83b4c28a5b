import { MASK } from "@debug-bridge/protocol";
import {
  apply,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isFiniteNumber,
  keysOf,
  symbolText,
} from "../natives.js";
import { cut, quote } from "../text.js";
import { bigintDigits, numberText, oneValueText } from "./builtin-formatters.js";
import {
  ARRAY_PROTOTYPE,
  classNameOf,
  functionName,
  type Kind,
  kindOf,
  OBJECT_PROTOTYPE,
  ownData,
} from "./class-of.js";
import { errorCause, errorStack, errorText, looksLikeError } from "./errors.js";
import { keyList, type Member, mapEntries, setItems, typedItems } from "./members.js";
import { describeNode } from "./node-text.js";
import { roomForText, type SerializeBudget, spend } from "./serialize-budget.js";

/** The objects around the one that is written, innermost first. */
interface Above {
  readonly value: object;
  readonly above: Above | null;
}

const NAME_LENGTH = 200;
const MASKED = `{"type":"string","value":${quote(MASK)}}`;
const GETTER = '{"type":"object","value":"(getter)"}';
const UNREADABLE = '{"type":"object","value":"(cannot be read)"}';

/**
 * Any value as the JSON text of one console argument. It is written as text at once: objects in between would have
 * prototypes, and with those a page could put a `toJSON` into every one of them. Never throws and never calls code of
 * the page, except traps of proxies whose target is not known, and what `live` allows.
 */
export function serialize(value: unknown, budget: SerializeBudget): string {
  return write(value, 0, null, budget);
}

function write(value: unknown, depth: number, above: Above | null, budget: SerializeBudget): string {
  switch (typeof value) {
    case "string":
      return textArg(value, budget);
    case "number":
      return spend(
        budget,
        `{"type":"number","value":${isFiniteNumber(value) && !isNegativeZero(value) ? value : `"${numberText(value)}"`}}`,
      );
    case "boolean":
      return spend(budget, `{"type":"boolean","value":${value ? "true" : "false"}}`);
    case "undefined":
      return spend(budget, '{"type":"undefined"}');
    case "bigint": {
      const digits = bigintDigits(value);
      return spend(
        budget,
        digits ? `{"type":"number","value":"${digits}"}` : named("object", "BigInt", "(over 10,000 digits)"),
      );
    }
    case "symbol":
      return spend(budget, named("object", "Symbol", cut(symbolText(value), budget.valueLimits.string)));
    default:
      if (value === null) return spend(budget, '{"type":"null"}');
      try {
        return typeof value === "function"
          ? functionArg(value, budget)
          : writeObject(value as object, depth, above, budget);
      } catch {
        return spend(budget, UNREADABLE);
      }
  }
}

const isNegativeZero = (value: number): boolean => value === 0 && 1 / value < 0;

function fit(text: string, budget: SerializeBudget): string {
  return budget.censor.fit(text, roomForText(budget));
}

function textArg(value: string, budget: SerializeBudget): string {
  return spend(budget, `{"type":"string","value":${quote(fit(value, budget))}}`);
}

function functionArg(value: object, budget: SerializeBudget): string {
  const fn = budget.targetOf(value) ?? value;
  return spend(budget, `{"type":"function","name":${quote(cut(functionName(fn), NAME_LENGTH))}}`);
}

function named(type: "array" | "object", className: string, value: string): string {
  return `{"type":"${type}",${classField(className)}"value":${quote(value)}}`;
}

function classField(className: string): string {
  return className === "" || className === "Object" || className === "Array"
    ? ""
    : `"className":${quote(cut(className, NAME_LENGTH))},`;
}

function writeObject(given: object, depth: number, above: Above | null, budget: SerializeBudget): string {
  const target = budget.targetOf(given);
  const value = target ?? given;
  for (let at = above; at !== null; at = at.above) {
    if (at.value === value)
      return spend(budget, `{"type":"circular",${classField(classNameOf(value))}"value":"[Circular]"}`);
  }
  return shown(value, target !== undefined, depth, { __proto__: null, value, above } as Above, budget);
}

function shown(
  value: object,
  isProxy: boolean,
  depth: number,
  inner: Above,
  budget: SerializeBudget,
): string {
  const prototype = getPrototypeOf(value);
  const own = prototype === ARRAY_PROTOTYPE ? "Array" : classNameOf(value);
  const className = isProxy ? `Proxy(${own || "Object"})` : own;
  if (prototype === OBJECT_PROTOTYPE || prototype === null)
    return members(value, className, depth, inner, budget);
  if (isArray(value)) return items(value, className, depth, inner, budget);
  if (looksLikeError(value)) return errorArg(value, className, depth, inner, budget);
  const kind = kindOf(value);
  if (kind) {
    try {
      const known = knownObject(value, kind, className, depth, inner, budget);
      if (known !== undefined) return known;
    } catch {
      // It only pretends to be of that kind.
    }
  }
  return members(value, className, depth, inner, budget);
}

function knownObject(
  value: object,
  kind: Kind,
  className: string,
  depth: number,
  above: Above,
  budget: SerializeBudget,
): string | undefined {
  switch (kind) {
    case "node": {
      const { tagName, html } = describeNode(value, budget.censor);
      return spend(
        budget,
        `{"type":"dom",${classField(className)}"tagName":${quote(cut(tagName, NAME_LENGTH))},"value":${quote(cut(html, roomForText(budget)))}}`,
      );
    }
    case "map": {
      const { list, total } = mapEntries(value, budget.valueLimits.keys);
      return depth >= budget.valueLimits.depth
        ? tooDeep("object", className, total, budget)
        : container("object", list.length, total, className, budget, (index) => {
            const { name: key, value: item } = list[index] as Member;
            const name = memberName(key, budget);
            return `${quote(name)}:${member(name, item, depth, above, budget)}`;
          });
    }
    case "set":
    case "typed": {
      const { list, total } =
        kind === "set"
          ? setItems(value, budget.valueLimits.items)
          : typedItems(value, budget.valueLimits.items);
      return depth >= budget.valueLimits.depth
        ? tooDeep("array", className, total, budget)
        : container("array", list.length, total, className, budget, (index) =>
            write(list[index], depth + 1, above, budget),
          );
    }
    default: {
      const text = oneValueText(value, kind, className);
      return text === undefined ? undefined : spend(budget, named("object", className, fit(text, budget)));
    }
  }
}

function errorArg(
  value: object,
  className: string,
  depth: number,
  above: Above,
  budget: SerializeBudget,
): string {
  const written = errorStack(value);
  const stack = written === undefined ? undefined : budget.cleanStack(written);
  const cause = depth < budget.valueLimits.depth ? errorCause(value) : undefined;
  let text = `{"type":"error",${classField(className)}"value":${quote(fit(errorText(value, className), budget))}`;
  if (stack !== undefined) text += `,"stack":${quote(fit(stack, budget))}`;
  spend(budget, text);
  if (cause) text += `,"cause":${write(cause.value, depth + 1, above, budget)}`;
  return `${text}}`;
}

/** What is nested deeper than the wire carries is named, with its size. */
function tooDeep(
  type: "array" | "object",
  className: string,
  size: number | undefined,
  budget: SerializeBudget,
): string {
  const name = className || (type === "array" ? "Array" : "Object");
  return spend(budget, named(type, className, size === undefined ? `[${name}]` : `[${name}(${size})]`));
}

function members(
  value: object,
  className: string,
  depth: number,
  above: Above,
  budget: SerializeBudget,
): string {
  if (budget.live && depth < budget.valueLimits.depth) {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function") return write(apply(toJSON, value, []), depth + 1, above, budget);
  }
  if (depth >= budget.valueLimits.depth) return tooDeep("object", className, undefined, budget);
  const keys = budget.live ? keysOf(value) : keyList(value);
  if (keys === undefined) return spend(budget, named("object", className, "(too slow)"));
  return container("object", keys.length, keys.length, className, budget, (index) => {
    const key = keys[index] as PropertyKey;
    const name = memberName(key, budget);
    return `${quote(name)}:${property(value, key, name, depth, above, budget)}`;
  });
}

/** Members or items, as far as there is room. `count` of `total` can be read. */
function container(
  type: "array" | "object",
  count: number,
  total: number,
  className: string,
  budget: SerializeBudget,
  part: (index: number) => string,
): string {
  const { keys, items: most } = budget.valueLimits;
  const limit = type === "array" ? most : keys;
  let text = "";
  let written = 0;
  for (; written < count && written < limit && budget.room > 0 && !budget.late(); written++)
    text += (written === 0 ? "" : ",") + part(written);
  const omitted = total > written ? `"omitted":${total - written},` : "";
  const value = type === "array" ? `[${text}]` : `{${text}}`;
  return `{"type":"${type}",${classField(className)}${omitted}"value":${value}}`;
}

/** The name of a member, before its value is written. */
function memberName(key: PropertyKey, budget: SerializeBudget): string {
  return spend(budget, cut(typeof key === "symbol" ? symbolText(key) : (key as string), NAME_LENGTH));
}

/** The value of an own property. Items of a list have no name that could mark them as secret. */
function property(
  owner: object,
  key: PropertyKey,
  name: string | undefined,
  depth: number,
  above: Above,
  budget: SerializeBudget,
): string {
  const described = getOwnPropertyDescriptor(owner, key);
  if (described === undefined) return spend(budget, '{"type":"undefined"}');
  if (hasOwn(described, "value")) return member(name, described.value, depth, above, budget);
  if (!budget.live)
    return name !== undefined && budget.censor.hides(name, undefined) ? MASKED : spend(budget, GETTER);
  try {
    return member(name, (owner as Record<PropertyKey, unknown>)[key], depth, above, budget);
  } catch (thrown) {
    const why = typeof thrown === "object" && thrown ? errorText(thrown, "Error") : "an exception";
    return spend(budget, named("object", "", `(threw ${cut(why, NAME_LENGTH)})`));
  }
}

function member(
  name: string | undefined,
  value: unknown,
  depth: number,
  above: Above,
  budget: SerializeBudget,
): string {
  if (name !== undefined && budget.censor.hides(name, value)) return MASKED;
  return write(value, depth + 1, above, budget);
}

function items(
  value: readonly unknown[],
  className: string,
  depth: number,
  above: Above,
  budget: SerializeBudget,
): string {
  const length = ownData(value, "length");
  const total = typeof length === "number" ? length : 0;
  if (depth >= budget.valueLimits.depth) return tooDeep("array", className, total, budget);
  return container("array", total, total, className, budget, (index) =>
    property(value, `${index}`, undefined, depth, above, budget),
  );
}
