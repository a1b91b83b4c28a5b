import { expect, it } from "vitest";
import { costOf, costText } from "./model-prices.js";

const tokens = { input: 1_000_000, output: 100_000, cacheRead: 0, cacheWrite: 0 };

it("knows the cost of a model by its name, with its date and its provider", () => {
  for (const model of ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5"])
    expect(costOf(model, tokens)).toBeCloseTo(4.5);
  expect(costOf("claude-sonnet-4-5", { ...tokens, cacheRead: 900_000 })).toBeCloseTo(0.3 + 0.27 + 1.5);
});

it("says nothing about the cost of a model that it does not know", () => {
  for (const model of [undefined, "", "constructor", "claude-sonnet-4-50", "local/llama"])
    expect(costOf(model, tokens)).toBeUndefined();
  expect([costText(0.00421), costText(1.268)]).toEqual(["$0.0042", "$1.27"]);
});
