import { afterEach, expect, test, vi } from "vitest";
import { asWallTime, steadyNow } from "./steady-clock.js";

afterEach(() => {
  vi.restoreAllMocks();
});

test("the steady clock does not jump when the clock of the machine is set, and its moments are shown on that clock", () => {
  const real = Date.now();
  const before = steadyNow();
  expect(Math.abs(before - real)).toBeLessThan(5_000);
  vi.spyOn(Date, "now").mockReturnValue(real + 3_600_000);
  expect(steadyNow() - before).toBeLessThan(1_000);
  expect(asWallTime(steadyNow() + 60_000) - (real + 3_660_000)).toBeLessThan(1_000);
  expect(asWallTime(1_500, 1_000)).toBe(real + 3_600_500);
});
