import { expect, it } from "vitest";
import { boxInside, changedBoxes, outermost, type Pixels } from "./changed-boxes.js";

/** A grey picture with white rectangles. */
function picture(width: number, height: number, ...white: [number, number, number, number][]): Pixels {
  const data = new Uint8ClampedArray(width * height * 4).fill(100);
  for (const [left, top, wide, high] of white)
    for (let y = top; y < top + high; y++)
      for (let x = left; x < left + wide; x++) data.fill(255, (y * width + x) * 4, (y * width + x) * 4 + 4);
  return { width, height, data };
}

it("puts one box around each part that changed, the largest first", () => {
  const boxes = changedBoxes(picture(160, 80), picture(160, 80, [0, 0, 8, 8], [80, 40, 40, 16]));
  expect(boxes).toEqual([
    { left: 0.5, top: 0.5, width: 0.25, height: 0.2 },
    { left: 0, top: 0, width: 0.05, height: 0.1 },
  ]);
});

it("finds nothing in pictures that look the same, and does not compare those of different sizes", () => {
  const grey = picture(80, 80);
  const noisy = { ...grey, data: grey.data.map((value, at) => value + (at % 20)) };
  expect(changedBoxes(grey, noisy)).toEqual([]);
  expect(changedBoxes(grey, picture(80, 160))).toBeUndefined();
});

it("places a part of the page in the picture, as far as it is in it", () => {
  const size = { width: 200, height: 100 };
  expect(boxInside({ left: -20, top: 50, right: 100, bottom: 150 }, size)).toEqual({
    ...{ left: 0, top: 0.5, width: 0.5, height: 0.5 },
  });
  expect(boxInside({ left: 0, top: 100, right: 10, bottom: 120 }, size)).toBeUndefined();
  expect(boxInside({ left: 10, top: 10, right: 10, bottom: 20 }, size)).toBeUndefined();
});

it("draws no box inside another, except in one around everything", () => {
  const box = (left: number, top: number, width: number, height: number) => ({ left, top, width, height });
  const list = box(0.1, 0.1, 0.5, 0.5);
  const entry = box(0.1, 0.2, 0.5, 0.1);
  const apart = box(0.7, 0.7, 0.1, 0.1);
  const all = box(0, 0, 1, 1);
  expect(outermost([entry, apart, list, list])).toEqual([list, apart]);
  expect(outermost([entry, all, list, all])).toEqual([all, list]);
});
