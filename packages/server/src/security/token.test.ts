import { describe, expect, it, vi } from "vitest";

vi.mock("node:crypto", async (load) => {
  const crypto = await load<typeof import("node:crypto")>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

describe("the comparison of tokens", () => {
  it("compares digests of one length, so that neither length nor prefix shows in the time [ARC-069]", async () => {
    // Another test file of this process may have loaded it without the spy.
    vi.resetModules();
    const { timingSafeEqual } = await import("node:crypto");
    const { sameToken } = await import("./token.js");
    const given = ["abc", "", "ab", "abd", "abcd", "ABC", "x".repeat(100_000)];
    expect(given.map((token) => sameToken(token, "abc"))).toEqual(given.map((token) => token === "abc"));
    const compared = vi
      .mocked(timingSafeEqual)
      .mock.calls.map((pair) => pair.map(({ byteLength }) => byteLength));
    expect(compared).toEqual(given.map(() => [32, 32]));
  });
});
