import fc from "fast-check";
import { expect, test } from "vitest";
import { splitSteps } from "./selectors.js";

test("steps are split outside quotes and escapes", () => {
  expect(splitSteps("my-card >>> button")).toEqual(["my-card", "button"]);
  expect(splitSteps("a>>>b >>> c")).toEqual(["a", "b", "c"]);
  expect(splitSteps('[title="x >>> y"] > b')).toEqual(['[title="x >>> y"] > b']);
  expect(splitSteps("a > b")).toEqual(["a > b"]);
  expect(splitSteps("\\>>>")).toEqual(["\\>>>"]);
});

test("parts without steps come back as they were joined", () => {
  const part = fc
    .string({ unit: fc.constantFrom(..."abc#.[]= -_*:()1"), minLength: 1 })
    .filter((text) => text.trim() === text && text !== "");
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), (parts) => {
      expect(splitSteps(parts.join(" >>> "))).toEqual(parts);
    }),
  );
});
