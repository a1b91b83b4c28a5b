import { MARK } from "./reads.mjs";

const protocol = new URL("../../../packages/protocol/dist/cdp/reads/", import.meta.url);
const { splitInjected, withoutPlace } = await import(new URL("recognise.js", protocol).href);
const { isPlaywrightCall, preparation } = await import(new URL("playwright.js", protocol).href);

/** A key of Playwright's values whose text is code, and the use of that text. */
const CODE_KEYS = { functionText: "functionText", callbackText: "callbackText", expression: "predicate" };
/** What may be evaluated inside a known text: the texts under those keys, which are known as well. */
const EVALUATES_KNOWN =
  /\beval\((?:"\(" \+ )?(?:[a-z]+\d*\.)?(?:functionText|callbackText|expression)\d*(?: \+ "\)")?\)/g;

/** The texts that become code in one recorded command, each with its use. */
export function textsOf({ method, params = {} }) {
  if (method === "Runtime.evaluate") return scripts(params.expression);
  if (method !== "Runtime.callFunctionOn") return [];
  const { functionDeclaration, arguments: given = [] } = params;
  if (isPlaywrightCall(functionDeclaration)) return calls(given.map(({ value }) => value));
  const text = withoutPlace(functionDeclaration);
  if (text.includes(MARK)) return [];
  if (text.startsWith("function addPageBinding(")) return [["binding", text]];
  // They make code of their arguments, or use any global by its name.
  return /createFunction\(|globalThis\[/.test(text) ? [] : [["function", assertNoEval(text)]];
}

function scripts(expression) {
  const injected = splitInjected(expression);
  if (injected) return [["injected", injected.text]];
  return expression.includes("UtilityScript") || expression.includes("module.exports.default")
    ? [["script", withoutPlace(expression)]]
    : [];
}

function calls([, isFunction, , expression, , ...values]) {
  // The wait for the page, in reads.mjs.
  if (String(expression).startsWith("location.protocol")) return [];
  if (isFunction) return [["expression", assertNoEval(expression)], ...codeIn(values)];
  const prepare = preparation(expression);
  return [prepare === undefined ? ["value", expression] : ["skip", prepare]];
}

function codeIn(value) {
  if (typeof value !== "object" || value === null) return [];
  const own =
    CODE_KEYS[value.k] && typeof value.v === "string" ? [[CODE_KEYS[value.k], assertNoEval(value.v)]] : [];
  return [...own, ...Object.values(value).flatMap(codeIn)];
}

/** A text that makes code of anything but the known keys must not become known. */
function assertNoEval(text) {
  const rest = text.replaceAll(EVALUATES_KNOWN, "");
  if (/\beval\b|\bFunction\(|createFunction/.test(rest.replaceAll("evaledExpression", "")))
    throw new Error(`this text evaluates code, and needs a separate rule:\n${text}`);
  return text;
}
