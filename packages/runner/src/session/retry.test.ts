import { BridgeError } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { isListed, isSafeToRepeat } from "./retry.js";

describe("an action whose browser was lost", () => {
  it("is repeated when it only looks", () => {
    for (const type of ["screenshot", "wait", "diagnose"] as const)
      expect(isSafeToRepeat(type, true)).toBe(true);
  });

  it("is repeated when it opens a page and nothing was done before", () => {
    expect(isSafeToRepeat("navigate", false)).toBe(true);
    expect(isSafeToRepeat("navigate", true)).toBe(false);
  });

  it("is never repeated when it acts", () => {
    for (const type of ["click", "type", "press", "select", "hover", "scroll", "evaluate"] as const)
      expect(isSafeToRepeat(type, false)).toBe(false);
  });
});

it("an error of the page's own code is not retried, whatever its text [RUN-033]", () => {
  expect(isListed(new Error("Session closed: gone"), ["session closed"])).toBe(true);
  expect(isListed(new Error("Session closed: gone"), ["crashed"])).toBe(false);
  expect(isListed(new BridgeError("evaluation_failed", "Session closed"), ["Session closed"])).toBe(false);
});
