import { describe, expect, it } from "vitest";
import { plot } from "./plot.mjs";

const series = {
  ...{ series: "Cost <over> size", x: "elements", y: "ms", scale: "log" },
  lines: [
    {
      name: "ours",
      points: [
        [100, 1],
        [1_000, 10],
        [10_000, 100],
      ],
      exponent: 1,
    },
    {
      name: "flat",
      points: [
        [100, 10],
        [1_000, 10],
        [10_000, 10],
      ],
      exponent: 0,
    },
  ],
};
const pointsOf = (svg: string): number[][][] =>
  [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, list = ""]) =>
    list.split(" ").map((pair) => pair.split(",").map(Number)),
  );

describe("a plot", () => {
  it("draws a straight line for a power of the size, and a level one for a constant", () => {
    const svg = plot(series);
    const [ours = [], flat = []] = pointsOf(svg);
    const [first, middle, last] = ours as [number[], number[], number[]];
    expect((middle[1] as number) * 2).toBeCloseTo((first[1] as number) + (last[1] as number), 0);
    expect(new Set(flat.map(([, y]) => y)).size).toBe(1);
    expect(svg).toContain("ours (exponent 1.00)");
    expect(svg).toContain("Cost &#60;over&#62; size");
  });

  it("marks whole powers of ten, or four steps from zero", () => {
    expect(plot(series)).toMatch(/>10,000<[\s\S]*>100</);
    const linear = plot({
      ...series,
      scale: "linear",
      lines: [
        {
          name: "a",
          points: [
            [0, 3],
            [10, 7],
          ],
        },
      ],
    });
    for (const tick of [0, 2, 4, 6, 8]) expect(linear).toContain(`>${tick}<`);
  });
});
