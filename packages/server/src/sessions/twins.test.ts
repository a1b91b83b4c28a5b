import { describe, expect, it } from "vitest";
import { type Sighting, Twins } from "./twins.js";

const seen = (witness: Sighting["witness"], text: string, at: number, level = "log"): Sighting => ({
  witness,
  text,
  at,
  level,
});

describe("a console line that two witnesses report", () => {
  it.each([
    ["sdk", "extension"],
    ["extension", "sdk"],
  ] as const)("is taken once, when %s comes first", (first, second) => {
    const twins = new Twins();
    expect(twins.isTwin(seen(first, "hello", 1_000))).toBe(false);
    expect(twins.isTwin(seen(second, "hello", 1_002))).toBe(true);
  });

  it("is taken as often as it was printed", () => {
    const twins = new Twins();
    const taken = [1, 2, 3].flatMap((n) => [
      twins.isTwin(seen("sdk", "again", 1_000 + n)),
      twins.isTwin(seen("extension", "again", 1_000 + n)),
    ]);
    expect(taken.filter((isTwin) => !isTwin)).toHaveLength(3);
  });

  it("is another line when level, text or time differ, or the same witness reports it", () => {
    const twins = new Twins();
    twins.isTwin(seen("sdk", "hello", 1_000));
    expect(twins.isTwin(seen("extension", "hello", 1_000, "warn"))).toBe(false);
    expect(twins.isTwin(seen("extension", "hullo", 1_000))).toBe(false);
    expect(twins.isTwin(seen("extension", "hello", 9_000))).toBe(false);
    expect(twins.isTwin(seen("sdk", "hello", 1_000))).toBe(false);
  });
});
