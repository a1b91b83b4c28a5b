import { expect, test } from "vitest";
import { ByteBudget, type Holder } from "./byte-budget.js";

/** Keeps some bytes, and releases half of them on request. */
class Keeper implements Holder {
  constructor(public kept: number) {}
  measure(): number {
    return this.kept;
  }
  release(): void {
    this.kept = Math.floor(this.kept / 2);
  }
}

test("the holder that keeps the most lets go first, and those that keep little lose nothing", () => {
  const budget = new ByteBudget(100);
  const [small, large] = [new Keeper(20), new Keeper(80)];
  budget.update(small, 20);
  budget.update(large, 80);
  expect([small.kept, large.kept]).toEqual([20, 80]);
  large.kept = 90;
  budget.update(large, 90);
  expect([small.kept, large.kept, budget.total]).toEqual([20, 45, 65]);
});

test("a holder that shrank without a report is measured before anybody lets go", () => {
  const budget = new ByteBudget(100);
  const [first, second] = [new Keeper(90), new Keeper(50)];
  budget.update(first, 90);
  first.kept = 0;
  budget.update(second, 50);
  expect([second.kept, budget.total]).toEqual([50, 50]);
});

test("a holder that cannot let go does not keep the budget busy", () => {
  const budget = new ByteBudget(10);
  const stubborn = { measure: () => 50, release: () => {} };
  budget.update(stubborn, 50);
  expect(budget.total).toBe(50);
  budget.remove(stubborn);
  expect(budget.total).toBe(0);
});
