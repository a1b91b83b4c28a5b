import { describe, expect, test } from "vitest";
import { readDigest } from "./digests.js";
import { preparation } from "./playwright.js";
import { recogniseRead, splitInjected, withoutPlace } from "./recognise.js";

const call = (functionDeclaration: string, given: unknown = []): unknown =>
  recogniseRead("Runtime.callFunctionOn", { functionDeclaration, arguments: given });
const TITLE = "() => {\n                return document.title;\n            }";
const PLAYWRIGHT = "(utilityScript, ...args) => utilityScript.evaluate(...args)";
const evaluate = (...given: unknown[]): unknown => call(PLAYWRIGHT, [{ objectId: "1.2.3" }, ...given]);
const value = (given: unknown): object => ({ value: given });

describe("code of Playwright and Puppeteer", () => {
  test("is recognised, runs without a gesture, and keeps its other parameters", () => {
    expect(
      recogniseRead("Runtime.callFunctionOn", { functionDeclaration: TITLE, returnByValue: true }),
    ).toEqual({
      functionDeclaration: TITLE,
      returnByValue: true,
      userGesture: false,
      throwOnSideEffect: false,
    });
  });

  test("may say where it comes from, in one comment at its end", () => {
    expect(call(`${TITLE}\n//# sourceURL=pptr:evaluate;title\n`)).toBeDefined();
    for (const end of ["\n", "\r", "\u2028", "\u2029"])
      expect(call(`${TITLE}\n//# sourceURL=a${end}document.title = 1`)).toBeUndefined();
    expect(call(`${TITLE}\n//# sourceURL=a\n//# sourceURL=b`)).toBeUndefined();
  });

  test("is not recognised when one character differs, or as something else", () => {
    expect(call(TITLE.replace("title", "body"))).toBeUndefined();
    expect(call(`${TITLE} `)).toBeUndefined();
    expect(recogniseRead("Runtime.evaluate", { expression: TITLE })).toBeUndefined();
    expect(evaluate(value(true), value(true), value(TITLE), value(0))).toBeUndefined();
  });

  test("inside Playwright's call has to be Playwright's, with handles at the end", () => {
    const title = value("() => document.title");
    expect(evaluate(value(true), value(true), title, value(1), value({ v: "undefined" }))).toBeDefined();
    expect(evaluate(value(true), value(true), value("() => document.body"), value(0))).toBeUndefined();
    expect(evaluate(value(false), value(true), title, value(0))).toBeUndefined();
    expect(evaluate(value(true), value(true), title, value(1), { objectId: "1.2.4" })).toBeUndefined();
    expect(evaluate(value(true), value(true), title, value(0), value("late"))).toBeUndefined();
  });

  test("has another digest in another place", () => {
    expect(readDigest("function", TITLE)).not.toBe(readDigest("expression", TITLE));
    expect(withoutPlace(`${TITLE}\n//# sourceURL=a\n`)).toBe(TITLE);
  });

  test("that prepares a page for a screenshot is left out", () => {
    expect(preparation("(function a() { b })(1, { c: 2 })")).toBe("function a() { b }");
    expect(preparation("a(1)")).toBeUndefined();
    const skipped = evaluate(value(false), value(true), value("(function other() {})(1)"), value(0));
    expect(skipped).toBeUndefined();
  });

  test("a selector engine is code, and options are data", () => {
    const text = "x.InjectedScript())(globalThis, {});\n";
    expect(splitInjected(text)).toEqual({ text: "x.InjectedScript())(globalThis, );\n", options: "{}" });
    expect(recogniseRead("Runtime.evaluate", { expression: text })).toBeUndefined();
  });

  test("binds the names of Puppeteer's selectors and no others", () => {
    const binding = "function addPageBinding(type, name, prefix) {}";
    expect(call(binding, [value("internal"), value("eval"), value("")])).toBeUndefined();
  });
});
