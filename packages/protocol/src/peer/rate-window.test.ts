import { expect, test } from "vitest";
import { RateWindow } from "./rate-window.js";

const admitted = (window: RateWindow, count: number, isUrgent = false, at = 1_000): number => {
  let passed = 0;
  for (let i = 0; i < count; i++) if (window.admit(at, isUrgent) >= 0) passed++;
  return passed;
};

test("admits up to the limit per second and drops the rest", () => {
  expect(admitted(new RateWindow(200), 1_000)).toBe(200);
});

test("returns how many passed before in the same second", () => {
  const window = new RateWindow(2);
  expect([window.admit(0, false), window.admit(0, false), window.admit(0, false)]).toEqual([0, 1, -1]);
  expect(window.admit(1_000, false)).toBe(0);
});

test("normal events never use up the allowance of urgent ones", () => {
  const window = new RateWindow(200);
  admitted(window, 1_000);
  expect(admitted(window, 150, true)).toBe(150);
  expect(admitted(window, 10)).toBe(0);
});

test("counts by the time of the events, so that a backlog does not count as a flood", () => {
  const window = new RateWindow(200);
  let dropped = 0;
  for (let i = 0; i < 1_000; i++) if (window.admit(i * 10, false) < 0) dropped++;
  expect(dropped).toBe(0);
});
