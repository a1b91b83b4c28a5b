import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pointIn, scrollCommand, typeCommands } from "./commands.js";

const target = { ref: "e1" };

describe("typing", () => {
  it("is one command without a delay", () => {
    expect(typeCommands({ text: "Ada", clear: true, delay: 0 }, target)).toEqual([
      { type: "type", target, text: "Ada", clear: true },
    ]);
  });

  it("with a delay is one command per character, of which the first clears and the last settles", () => {
    expect(typeCommands({ text: "a😀b", clear: true, delay: 5 }, target)).toEqual([
      { type: "type", target, text: "a", clear: true, settle: false },
      { type: "type", target, text: "😀", clear: false, settle: false },
      { type: "type", target, text: "b", clear: false },
    ]);
  });

  it("of no text is still a command, since it may clear the field", () => {
    expect(typeCommands({ text: "", clear: true, delay: 5 }, target)).toEqual([
      { type: "type", target, text: "", clear: true },
    ]);
  });
});

describe("scrolling", () => {
  it("moves by a distance in a direction", () => {
    expect(scrollCommand({ direction: "up", amount: 50 })).toEqual({ type: "scroll", y: -50 });
    expect(scrollCommand({ direction: "right", amount: undefined }, undefined)).toEqual({
      type: "scroll",
      x: 600,
    });
    expect(scrollCommand({ direction: "down", amount: 50 }, target)).toEqual({
      type: "scroll",
      target,
      y: 50,
    });
  });

  it("brings an element into view when there is no distance", () => {
    expect(scrollCommand({ direction: "down", amount: undefined }, target)).toEqual({
      type: "scroll",
      target,
    });
  });
});

describe("the point of a click by ranges", () => {
  it("is their midpoint at first and inside both of them later [RUN-072, RUN-081]", () => {
    const range = fc
      .tuple(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 500 }))
      .map(([min, width]) => ({ min, max: min + width }));
    fc.assert(
      fc.property(range, range, fc.integer({ min: 1, max: 5 }), (x, y, attempt) => {
        expect(pointIn(x, y, 0)).toEqual({ x: (x.min + x.max) / 2, y: (y.min + y.max) / 2 });
        const point = pointIn(x, y, attempt);
        expect(point.x >= x.min && point.x <= x.max && point.y >= y.min && point.y <= y.max).toBe(true);
      }),
    );
  });
});
