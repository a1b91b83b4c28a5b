import { describe, expect, it } from "vitest";
import { sameToken } from "./token.js";

describe("the comparison of tokens", () => {
  it("uses digests of one length, so that neither length nor prefix shows in the time [ARC-069]", () => {
    expect(sameToken("abc", "abc")).toBe(true);
    for (const given of ["", "ab", "abd", "abcd", "ABC", "x".repeat(100_000)])
      expect(sameToken(given, "abc")).toBe(false);
    expect(sameToken.toString()).toContain("timingSafeEqual");
  });
});
