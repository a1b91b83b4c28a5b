import { timingSafeEqual } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { loadToken, readToken, sameToken } from "./token.js";

vi.mock("node:crypto", async (load) => {
  const crypto = await load<typeof import("node:crypto")>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

function home(): string {
  const path = mkdtempSync(join(tmpdir(), "debug-bridge-token-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("the token", () => {
  it("is made once and kept", () => {
    const folder = home();
    const first = loadToken(folder);
    expect(loadToken(folder)).toEqual(first);
    expect(readToken(first.tokenFile)).toBe(first.token);
    expect(loadToken(home()).token).not.toBe(first.token);
  });

  it("is made private again when its file was not, and anew when it holds something else", () => {
    const folder = home();
    const { tokenFile, token } = loadToken(folder);
    chmodSync(tokenFile, 0o644);
    loadToken(folder);
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    writeFileSync(tokenFile, "short");
    expect(readToken(tokenFile)).toBeUndefined();
    expect(loadToken(folder).token).not.toBe(token);
  });

  it("is compared by digests of one length, so that neither length nor prefix shows in the time [ARC-069]", () => {
    const given = ["abc", "", "ab", "abd", "abcd", "ABC", "x".repeat(100_000)];
    expect(given.map((token) => sameToken(token, "abc"))).toEqual(given.map((token) => token === "abc"));
    const compared = vi
      .mocked(timingSafeEqual)
      .mock.calls.map((pair) => pair.map(({ byteLength }) => byteLength));
    expect(compared).toEqual(given.map(() => [32, 32]));
  });
});
