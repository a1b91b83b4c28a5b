import { expect, it } from "vitest";
import { timeAgo } from "./time.js";
import { visibleText } from "./visible-text.js";

it("shows characters that control or hide something as their numbers, and leaves all others", () => {
  expect(visibleText("a\u202eb\u0000c\u200bd\u{e0041}")).toBe("a[U+202E]b[U+0000]c[U+200B]d[U+E0041]");
  const plain = "tab\tline\nשלום عربي 日本 👍🏽 é";
  expect(visibleText(plain)).toBe(plain);
  expect(visibleText("one\r\ntwo\rthree")).toBe("one\ntwo\nthree");
});

it("a past time is shown as how long ago it was", () => {
  const at = (seconds: number): string =>
    timeAgo(new Date(1_000_000_000_000 - 1_000 * seconds).toISOString(), 1_000_000_000_000);
  expect([0, 30, 90, 7_200, 200_000].map(at)).toEqual(["now", "30 s", "1 min", "2 h", "2 d"]);
});
