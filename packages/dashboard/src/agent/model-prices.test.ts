import { expect, it } from "vitest";
import { costOf, costText, plainModel, readPrices } from "./model-prices.js";

const tokens = { input: 1_000_000, output: 100_000, cacheRead: 0, cacheWrite: 0 };
const prices = readPrices(
  '{"model-a-4-5": {"input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75}}',
);

it("computes the cost of a model by its name, with its date and its provider", () => {
  for (const model of ["model-a-4-5", "model-a-4-5-20250929", "maker/model-a-4-5"])
    expect(costOf([{ model, tokens }], prices)).toBeCloseTo(4.5);
  const cached = { ...tokens, cacheRead: 900_000 };
  expect(costOf([{ model: "model-a-4-5", tokens: cached }], prices)).toBeCloseTo(0.3 + 0.27 + 1.5);
  expect(plainModel(" maker/model-a-2026-01-02 ")).toBe("model-a");
});

it("no cost is shown when the price of one model is not set", () => {
  for (const model of [undefined, "", "constructor", "model-a-4-50", "local/llama"])
    expect(
      costOf(
        [
          { model: "model-a-4-5", tokens },
          { model, tokens },
        ],
        prices,
      ),
    ).toBeUndefined();
  expect(costOf([], prices)).toBeUndefined();
  expect([costText(0.00421), costText(1.268)]).toEqual(["$0.0042", "$1.27"]);
});

it("reads nothing from what is not a list of prices", () => {
  for (const text of [null, "", "null", "5", "[1]", '{"a": 5}', '{"a": {"input": -1, "output": 1}}', "{"])
    expect(readPrices(text).size).toBe(0);
});
