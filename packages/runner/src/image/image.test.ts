import jpeg from "jpeg-js";
import { describe, expect, it } from "vitest";
import { ActionLogs } from "../report/logs.js";
import { visualChange } from "./compare.js";
import { fitJpeg } from "./fit.js";
import { decodeJpeg, scaleDown } from "./jpeg.js";

/** Noise does not compress. */
function picture(width: number, height: number, colour?: (x: number, y: number) => number): Uint8Array {
  const data = Buffer.alloc(width * height * 4, 255);
  let seed = 1;
  for (let i = 0; i < width * height; i++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const value = colour ? colour(i % width, Math.floor(i / width)) : seed % 256;
    data.fill(value, i * 4, i * 4 + 3);
  }
  return jpeg.encode({ width, height, data }, 80).data;
}

describe("a screenshot that is too large", () => {
  it("is scaled down until it fits, keeps its aspect ratio, and each step is logged [RUN-113, RUN-114]", () => {
    const logs = new ActionLogs();
    const whole = picture(800, 500);
    const fitting = fitJpeg(whole, { maxBytes: 20_000, quality: 25, logs });
    expect(fitting?.length).toBeLessThanOrEqual(20_000);
    const { width, height } = decodeJpeg(fitting as Uint8Array);
    expect(width).toBeLessThan(800);
    expect(width / height).toBeCloseTo(1.6, 1);
    const steps = logs.drainEntries().map(({ message }) => message);
    expect(steps[0]).toContain("20000 are allowed");
    expect(steps.filter((step) => step.startsWith("scaled down to")).length).toBeGreaterThan(0);
    expect(steps.at(-1)).toContain(`${width} × ${height}`);
  });

  it("is left out with a warning when it cannot be made small enough [RUN-116]", () => {
    const logs = new ActionLogs();
    expect(fitJpeg(picture(300, 300), { maxBytes: 100, quality: 90, logs })).toBeUndefined();
    expect(logs.drainEntries().at(-1)).toMatchObject({ type: "warning", source: "tool" });
  });

  it("stays as it is when it fits", () => {
    const logs = new ActionLogs();
    const whole = picture(100, 50);
    expect(fitJpeg(whole, { maxBytes: 1_000_000, quality: 25, logs })).toBe(whole);
    expect(logs.drainEntries()).toEqual([]);
  });

  it("has pixels that are the mean of those they replace", () => {
    const two = { width: 2, height: 1, data: Uint8Array.of(0, 0, 0, 255, 200, 100, 50, 255) };
    expect([...scaleDown(two, 0.5).data]).toEqual([100, 50, 25, 255]);
  });
});

describe("two pictures", () => {
  it("differ by the part of them that changed [RUN-077, RUN-079]", () => {
    const white = picture(100, 100, () => 255);
    const quarter = picture(100, 100, (x, y) => (x < 48 && y < 48 ? 0 : 255));
    expect(visualChange(white, white)).toBe(0);
    expect(
      visualChange(
        white,
        picture(100, 100, () => 255),
      ),
    ).toBe(0);
    expect(visualChange(white, quarter)).toBeCloseTo(0.23, 1);
    expect(
      visualChange(
        white,
        picture(90, 100, () => 255),
      ),
    ).toBe(1);
  });
});
