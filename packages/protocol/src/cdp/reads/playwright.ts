import { isKnownRead, type ReadKind } from "./digests.js";

type CdpParams = Readonly<Record<string, unknown>>;
interface Argument {
  readonly value?: unknown;
  readonly objectId?: unknown;
}
export interface KnownCall {
  readonly given: readonly Argument[];
}

/** An object as Playwright writes it: a list of keys and values. */
interface Written {
  readonly o: readonly { readonly k: unknown; readonly v: unknown }[];
}

/** Keys whose text Playwright's functions evaluate. */
const CODE_KEYS: Readonly<Record<string, ReadKind>> = {
  functionText: "functionText",
  callbackText: "callbackText",
  expression: "predicate",
};
const MAX_DEPTH = 60;

export function isPlaywrightCall(functionDeclaration: unknown): boolean {
  return functionDeclaration === "(utilityScript, ...args) => utilityScript.evaluate(...args)";
}

/**
 * A call of Playwright: `evaluate(isFunction, returnByValue, expression, count, ...values, ...handles)`. The expression is
 * code, and so are some texts inside the values. All of them have to be Playwright's own.
 */
export function playwrightRead({ given }: KnownCall): CdpParams | undefined {
  const [script, isFunction, , expression, count] = given;
  if (!script || typeof script.objectId !== "string" || typeof count?.value !== "number") return undefined;
  if (typeof expression?.value !== "string") return undefined;
  const values = given.slice(5, 5 + count.value);
  const handles = given.slice(5 + count.value);
  if (values.length !== count.value || values.some(({ objectId }) => objectId !== undefined))
    return undefined;
  if (handles.some(({ objectId }) => typeof objectId !== "string")) return undefined;
  const text = expression.value;
  if (isFunction?.value === true)
    return isKnownRead("expression", text) &&
      hasKnownCode(
        text,
        values.map(({ value }) => value),
      )
      ? {}
      : undefined;
  if (isFunction?.value !== false) return undefined;
  if (isKnownRead("value", text)) return {};
  const prepare = preparation(text);
  if (prepare === undefined || !isKnownRead("skip", prepare)) return undefined;
  // It would change the page before a screenshot. The picture shows the page as it is.
  return { arguments: given.map((each) => (each === expression ? { value: "undefined" } : each)) };
}

/** The function of `(function name() {…})(arguments)`. */
export function preparation(text: string): string | undefined {
  const end = text.lastIndexOf("})(");
  return text.startsWith("(function ") && end > 0 ? text.slice(1, end + 1) : undefined;
}

/** Whether every text that becomes code is known, and is in plain sight: not in an object of the page. */
function hasKnownCode(text: string, values: readonly unknown[]): boolean {
  if (!values.every((value) => isHarmless(value, 0))) return false;
  const evaluates = Object.keys(CODE_KEYS).filter((key) => text.includes(key));
  if (evaluates.length === 0) return true;
  const given = values.slice(1);
  if (!given.every(isWritten)) return false;
  return given.every(({ o }) => {
    const inner = o.find(({ k }) => k === "functionText")?.v;
    if (typeof inner !== "string" || !inner.includes("callbackText")) return true;
    return isWritten(o.find(({ k }) => k === "arg")?.v);
  });
}

function isHarmless(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((each) => isHarmless(each, depth + 1));
  if (isWritten(value)) {
    const keys = value.o.map((entry) => entry?.k);
    if (keys.some((key) => typeof key !== "string" || key === "__proto__") || hasTwice(keys)) return false;
    for (const { k, v } of value.o) {
      const kind = Object.hasOwn(CODE_KEYS, k as string) ? CODE_KEYS[k as string] : undefined;
      if (kind && !(typeof v === "string" && isKnownRead(kind, v))) return false;
    }
  }
  return Object.values(value).every((each) => isHarmless(each, depth + 1));
}

function isWritten(value: unknown): value is Written {
  return typeof value === "object" && value !== null && Array.isArray((value as Partial<Written>).o);
}

function hasTwice(keys: readonly unknown[]): boolean {
  return new Set(keys).size !== keys.length;
}
