import { describe, expect, test } from "vitest";
import { ObjectRoles } from "./object-roles.js";

const PLAYWRIGHT = "(utilityScript, ...args) => utilityScript.evaluate(...args)";
const QUERY =
  "(element, selector, { cssQuerySelector }) => {\n        return cssQuerySelector(element, selector);\n    }";

function withRoles(): ObjectRoles {
  const roles = new ObjectRoles();
  const made = (expression: string, objectId: string): void =>
    roles.record("Runtime.evaluate", { expression }, { result: { type: "object", objectId } }, true);
  made("new (module.exports.UtilityScript())(globalThis, false);", "utility");
  made("new (module.exports.InjectedScript())(globalThis, {});", "injected");
  made("return module.exports.default;", "selectors");
  roles.record("DOM.resolveNode", {}, { object: { objectId: "node" } }, false);
  const list = [
    { value: { type: "object", subtype: "node", objectId: "child" } },
    { value: { type: "function", objectId: "eval" } },
  ];
  roles.record("Runtime.getProperties", {}, { result: list }, false);
  roles.record("Runtime.callFunctionOn", {}, { result: { type: "function", objectId: "made" } }, true);
  roles.record("Runtime.callFunctionOn", {}, { result: { type: "object", objectId: "forged" } }, false);
  return roles;
}

const roles = withRoles();
const playwright = (text: string, values: unknown[], ...handles: string[]): boolean =>
  roles.allows("Runtime.callFunctionOn", {
    functionDeclaration: PLAYWRIGHT,
    arguments: [
      { objectId: "utility" },
      ...[true, true, text, values.length, ...values].map((value) => ({ value })),
      ...handles.map((objectId) => ({ objectId })),
    ],
  });
const puppeteer = (functionDeclaration: string, ...given: object[]): boolean =>
  roles.allows("Runtime.callFunctionOn", { functionDeclaration, arguments: given });

describe("the objects that recognised code is called with", () => {
  test("are those that it was made for", () => {
    expect(
      playwright("(injected2, p) => 1", [{ h: 0 }, { o: [{ k: "scope", v: { h: 1 } }] }], "injected", "node"),
    ).toBe(true);
    expect(playwright("([injected, e]) => 1", [{ a: [{ h: 0 }, { h: 1 }] }], "injected", "child")).toBe(true);
    expect(playwright("(r) => r.element", [{ h: 0 }], "node")).toBe(true);
    expect(puppeteer(QUERY, { objectId: "node" }, { value: "#x" }, { objectId: "selectors" })).toBe(true);
  });

  test("are never functions, or objects that other code made", () => {
    for (const objectId of ["eval", "made", "forged", "unknown"]) {
      expect(playwright("(r) => r.element", [{ h: 0 }], objectId)).toBe(false);
      expect(playwright("(injected2, p) => 1", [{ h: 0 }, { h: 1 }], "injected", objectId)).toBe(false);
      expect(puppeteer(QUERY, { objectId: "node" }, { value: "#x" }, { objectId })).toBe(false);
    }
  });

  test("are not swapped: a part of the client is in its own place only", () => {
    expect(playwright("(injected2, p) => 1", [{ o: [{ k: "querySelectorAll", v: { h: 0 } }] }], "node")).toBe(
      false,
    );
    expect(playwright("(injected2, p) => 1", [{ h: 1 }, { h: 0 }], "injected", "node")).toBe(false);
    expect(playwright("(r) => r.element", [{ h: 0 }], "injected")).toBe(false);
    expect(playwright("(r) => r.element", [{ h: 0 }], "utility")).toBe(false);
    expect(puppeteer(QUERY, { objectId: "node" }, { value: "#x" }, { objectId: "node" })).toBe(false);
    expect(
      puppeteer("(object, propertyName) => {}", { objectId: "selectors" }, { value: "createFunction" }),
    ).toBe(false);
    const forged = [{ objectId: "injected" }, ...[true, true, "() => 1", 0].map((value) => ({ value }))];
    expect(puppeteer(PLAYWRIGHT, ...forged)).toBe(false);
  });
});
