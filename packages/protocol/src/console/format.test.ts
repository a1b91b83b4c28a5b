import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConsoleArgument } from "../schema/console/argument.js";
import { applyFormat, formatConsoleArguments } from "./format.js";

const text = (value: string): ConsoleArgument => ({ type: "string", value });
const number = (value: number | string): ConsoleArgument => ({ type: "number", value });
const object: ConsoleArgument = { type: "object", value: { a: number(1) } };

describe("formatConsoleArguments", () => {
  it.each([
    [[text("%s has %d items for %f"), text("cart"), number(3.7), number(1.25)], "cart has 3 items for 1.25"],
    [[text("%i and %d"), text("42px"), number(-1.9)], "42 and -1"],
    [[text("%d"), number("12n")], "12n"],
    [[text("%d %d"), number("NaN"), object], "NaN NaN"],
    [[text("100%% of %s"), text("all")], "100% of all"],
    [[text("%cred%c plain"), text("color: red"), text(""), text("more")], "red plain more"],
    [[text("before %o after"), object], "before {a: 1} after"],
    [[text("%O"), object, number(2)], "{a: 1} 2"],
    [[text("%s"), object], "[object Object]"],
    [[text("%s and %s"), text("one")], "one and %s"],
    [[text("50% off"), number(1)], "50% off 1"],
    [[text("%s"), text("100%d"), number(5)], "100%d 5"],
    [[number(1), text("%s"), number(2)], "1 %s 2"],
    [[text("ends with %")], "ends with %"],
    [[], ""],
  ] as [ConsoleArgument[], string][])("formats %j", (values, expected) => {
    expect(formatConsoleArguments(values)).toBe(expected);
  });

  it("reads the format of a failed assertion after its label", () => {
    expect(formatConsoleArguments([text("Assertion failed"), text("%s!"), text("no")], "assert")).toBe(
      "Assertion failed no!",
    );
  });

  it("prints the arguments of methods without a format as they are", () => {
    expect(formatConsoleArguments([text("%s"), text("x")], "dir")).toBe("%s x");
  });

  it("keeps every argument except styles and those inside the text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(text("x"), number(1), object), { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom("%", "s", "d", "o", "c", " ", "x") }),
        (rest, format) => {
          const result = applyFormat([text(format), ...rest]);
          expect(result.length).toBeGreaterThan(0);
          expect(result.length).toBeLessThanOrEqual(2 * rest.length + 1);
        },
      ),
    );
  });
});
