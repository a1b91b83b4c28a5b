import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCondition } from "./condition.js";

const subject = {
  name: "write_file",
  iteration: 4,
  input: { path: "package.json", lines: [1, 2], force: true, note: null, text: "rm -rf /" },
};

describe("a condition", () => {
  it.each([
    ['input.path == "package.json"', true],
    ['input.path != "package.json"', false],
    ["iteration > 3 && iteration <= 4", true],
    ["iteration < 4 || input.force", true],
    ["!(iteration >= 4)", false],
    ['input.text contains "rm -rf"', true],
    ["input.lines contains 2", true],
    ["input.lines[1] == 2", true],
    ["input.lines.length == 2", true],
    ["input.path.length > 5", true],
    ["input.note == null", true],
    ["input.missing == null", false],
    ["input.missing.deeper", false],
    ['iteration > "3"', false],
    ["input.force == true", true],
    ['"a" < "b"', true],
    ["iteration == -4", false],
    ["input.constructor", false],
    ["input.__proto__", false],
    ["toString", false],
  ])("%s is %s", (text, expected) => {
    expect(parseCondition(text)(subject)).toBe(expected);
  });

  it.each([
    "",
    "==",
    "a ==",
    "a = 1",
    "(a",
    "a)",
    "a b",
    "a == 'x'",
    "f(1)",
    "a.b()",
    "a; b",
    "contains",
    '"\\x"',
  ])("that cannot be parsed is refused: %j", (text) => {
    expect(() => parseCondition(text)).toThrow(/condition/);
  });

  it("is parsed or rejected for any text, and never throws when it is evaluated", () => {
    const part = fc.constantFrom(
      "a",
      "input.path",
      "(",
      ")",
      "!",
      "==",
      "&&",
      "||",
      "<",
      '"x"',
      "1",
      " ",
      "contains",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join(" ")),
        ),
        fc.anything(),
        (text, value) => {
          let condition: ReturnType<typeof parseCondition>;
          try {
            condition = parseCondition(text);
          } catch (thrown) {
            expect((thrown as Error).message).toContain("condition");
            return;
          }
          expect(typeof condition(value)).toBe("boolean");
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("has a limited nesting depth", () => {
    expect(() => parseCondition(`${"(".repeat(5_000)}a${")".repeat(5_000)}`)).toThrow(
      "nests deeper than 50 levels; flatten it",
    );
  });
});
