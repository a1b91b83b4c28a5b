import { describe, expect, it } from "vitest";
import { whatBecameWorse, whatIsNotComparable } from "./compare.mjs";

const figure = (value: number, more: object = {}) => ({
  name: "a click",
  value,
  unit: "ms",
  ok: true,
  ...more,
});
const result = (figures: object[], speed = 1_000) => ({ bench: "page/click", speed, figures, series: [] });

describe("the comparison of two runs", () => {
  it("names a figure that became more than a fifth worse, and no other", () => {
    const stored = result([figure(20), figure(20, { name: "a look" })]);
    const measured = result([figure(25), figure(23, { name: "a look" })]);
    expect(whatBecameWorse(stored, measured)).toEqual(["page/click: a click: 25 ms; stored 20 ms"]);
    expect(whatBecameWorse(measured, stored)).toEqual([]);
  });

  it("converts times and rates to the speed of the machine, and compares ratios as they are", () => {
    const rate = { name: "rate", unit: "messages/s", better: "higher" };
    const stored = result([figure(20), figure(1_000, rate), figure(2, { name: "ratio", unit: "×" })]);
    const half = result([figure(40), figure(500, rate), figure(4, { name: "ratio", unit: "×" })], 500);
    expect(whatBecameWorse(stored, half)).toEqual(["page/click: ratio: 4 ×; stored 2 ×"]);
    const same = result([figure(20), figure(500, rate), figure(2, { name: "ratio", unit: "×" })]);
    expect(whatBecameWorse(stored, same)).toEqual([
      "page/click: rate: 500 messages/s; stored 1,000 messages/s",
    ]);
  });

  it("does not convert beyond a factor of two, names what it did not compare, and still compares ratios", () => {
    const ratio = { name: "ratio", unit: "×" };
    const stored = result([figure(20), figure(2, ratio)], 199);
    const measured = result([figure(20), figure(4, ratio)], 1_000);
    expect(whatBecameWorse(stored, measured)).toEqual(["page/click: ratio: 4 ×; stored 2 ×"]);
    expect(whatIsNotComparable(stored, measured)).toEqual([
      "page/click: stored at speed 199, now 1000: a click",
    ]);
    expect(whatIsNotComparable(result([figure(20)], 500), measured)).toEqual([]);
    expect(whatIsNotComparable(result([figure(2, ratio)], 199), measured)).toEqual([]);
  });

  it("takes no notice of small differences near zero, and names what is gone", () => {
    expect(whatBecameWorse(result([figure(0.1)]), result([figure(0.9)]))).toEqual([]);
    expect(whatBecameWorse(result([figure(1)]), result([]))).toEqual([
      'page/click: "a click" is no longer measured',
    ]);
  });
});
