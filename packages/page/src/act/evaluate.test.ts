import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileCode, evaluate } from "./evaluate.js";

describe("evaluate", () => {
  test.each([
    ["1 + 2", 3],
    ["await Promise.resolve(4)", 4],
    ["const a = 5; a", 5],
    ["const a = 5; return a + 1", 6],
    ["for (const x of [1, 2]) x; // the last value", 2],
    ["const r = await Promise.resolve(7); return r", 7],
    ["// only a comment\n8", 8],
    ["({ a: 1 }).a", 1],
    ["(() => 9)()", 9],
    ["if (true) { 10 } else { 11 }", 10],
    ["", undefined],
  ])("%s", async (code, value) => {
    expect(await evaluate(code)).toEqual(value);
  });

  test("numbers and text come back as they are written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.integer(), fc.boolean()), async (value) => {
        expect(await evaluate(JSON.stringify(value))).toBe(value);
        expect(await evaluate(`const x = ${JSON.stringify(value)}; x`)).toBe(value);
        expect(await evaluate(`return ${JSON.stringify(value)}`)).toBe(value);
      }),
      { numRuns: 50 },
    );
  });

  test("whatever the code, its effect happens once", async () => {
    const shapes = [
      "tick()",
      "tick(); 1",
      "return tick()",
      "await tick()",
      "tick(); throw new Error('x')",
      "{ tick() }",
      "const a = tick(); a",
      "tick();;",
    ];
    for (const code of shapes) {
      let ticks = 0;
      Object.assign(globalThis, { tick: () => ++ticks });
      await evaluate(code).catch(() => {});
      expect(ticks, code).toBe(1);
    }
  });

  test("compiling runs nothing, and code that does not compile fails with the parser's message", () => {
    let ran = false;
    Object.assign(globalThis, { mark: () => (ran = true) });
    compileCode("mark()");
    expect(ran).toBe(false);
    expect(() => compileCode("1 +")).toThrow(expect.objectContaining({ code: "evaluation_failed" }));
  });
});
