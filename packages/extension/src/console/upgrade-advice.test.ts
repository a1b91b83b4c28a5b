import { expect, it } from "vitest";
import { upgradeAdvice } from "./upgrade-advice.js";

it("the advice for incompatible versions names the side to update", () => {
  expect(upgradeAdvice("2.0.0", [])).toContain("update the extension");
  expect(upgradeAdvice("1.0.0", ["2.0.0", "2.1.0"])).toContain("update the extension");
  expect(upgradeAdvice("0.9.0", [])).toContain("update the debug-bridge command line");
});
