import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCompatible, parseVersion } from "./versions.js";

describe("versions of the console wire", () => {
  it.each([
    ["1.0.0", true],
    ["1.4.2", true],
    ["0.9.0", false],
    ["2.0.0", false],
    ["1.0", false],
    ["", false],
  ])("%s with 1.0.0: %s", (version, compatible) => {
    expect(isCompatible(version, "1.0.0")).toBe(compatible);
  });

  it("parse back to what they were written from, and nothing else parses", () => {
    const part = fc.nat({ max: 999_999_999 });
    fc.assert(
      fc.property(part, part, part, (major, minor, patch) => {
        expect(parseVersion(`${major}.${minor}.${patch}`)).toEqual({ major, minor, patch });
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseVersion(text) === undefined || /^\d+\.\d+\.\d+$/.test(text)).toBe(true);
      }),
    );
  });
});
