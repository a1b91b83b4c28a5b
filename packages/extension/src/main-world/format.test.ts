import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveFormat } from "./format.js";

describe("resolveFormat", () => {
  it("puts arguments where the specifiers stand", () => {
    expect(resolveFormat(["%s has %d items for %f", "cart", 3.7, 1.25])).toEqual([
      "cart has 3 items for 1.25",
    ]);
    expect(resolveFormat(["%i and %d", "42px", -1.9])).toEqual(["42 and -1"]);
    expect(resolveFormat(["100%% of %s", "all"])).toEqual(["100% of all"]);
  });

  it("drops styles", () => {
    expect(resolveFormat(["%cred%c plain", "color: red", "", "more"])).toEqual(["red plain", "more"]);
  });

  it("leaves objects as arguments of their own", () => {
    const value = { a: 1 };
    expect(resolveFormat(["before %o after", value])).toEqual(["before", value, "after"]);
    expect(resolveFormat(["%O", value, 2])).toEqual([value, 2]);
  });

  it("leaves alone what has no specifier, no argument or no format", () => {
    expect(resolveFormat(["50% off", 1])).toEqual(["50% off", 1]);
    expect(resolveFormat(["%s and %s", "one"])).toEqual(["one and %s"]);
    expect(resolveFormat([1, "%s", 2])).toEqual([1, "%s", 2]);
    expect(resolveFormat(["ends with %"])).toEqual(["ends with %"]);
    expect(resolveFormat([])).toEqual([]);
  });

  it("does not call toString of an object", () => {
    const hostile = {
      toString: () => {
        throw new Error("called");
      },
    };
    expect(resolveFormat(["%s %d", hostile, Symbol("x")])).toEqual(["[object Object] NaN"]);
  });

  it("never throws, and loses no argument but styles and those in text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.anything(), { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom("%", "s", "d", "o", "c", " ", "x") }),
        (rest, format) => {
          const resolved = resolveFormat([format, ...rest]);
          expect(resolved.length).toBeGreaterThan(0);
          expect(resolved.length).toBeLessThanOrEqual(2 * rest.length + 1);
        },
      ),
    );
  });
});
