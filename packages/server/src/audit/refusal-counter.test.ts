import { expect, test } from "vitest";
import { RefusalCounter } from "./refusal-counter.js";

test("the first refusal of a kind is written at once, and its repetitions as one count", () => {
  const written: [object, number][] = [];
  const counter = new RefusalCounter<object>((refusal, count) => written.push([refusal, count]));
  for (let i = 0; i < 1_000; i++) counter.count("a", () => ({ what: "a" }));
  counter.count("b", () => ({ what: "b" }));
  expect(written).toEqual([
    [{ what: "a" }, 1],
    [{ what: "b" }, 1],
  ]);
  counter.flush();
  expect(written.slice(2)).toEqual([[{ what: "a" }, 999]]);
});

test("many different refusals are counted together", () => {
  const written: [object, number][] = [];
  const counter = new RefusalCounter<object>((refusal, count) => written.push([refusal, count]));
  for (let i = 0; i < 10_000; i++) counter.count(`${i}`, () => ({ what: `${i}` }));
  counter.flush();
  expect(written).toHaveLength(65);
  expect(written.at(-1)).toEqual([{ what: "other refusals" }, 10_000 - 64]);
});
