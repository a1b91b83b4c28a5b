import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sha256 } from "./sha256.js";

test("the digest is that of Node for every length around a block, and for long and foreign text", () => {
  for (let length = 0; length < 200; length++) check("x".repeat(length));
  check("ü😀\u2028".repeat(5_000));
  check("a".repeat(330_000));
});

function check(text: string): void {
  expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
}
