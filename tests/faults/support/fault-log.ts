import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT } from "../../fixtures.js";
import { isLong } from "../../support/machine/long-mode.js";

/** How often a fault is tried: `FAULT_ROUNDS`, else a number for `npm test` and one for `npm run test:faults`. */
export const rounds = (short: number, long: number): number =>
  Number(process.env.FAULT_ROUNDS ?? (isLong ? long : short));

/**
 * Counts what a fault test tried, what had been acknowledged, and what of that was lost. The long mode writes the counts to
 * `tests/faults/results`, from which `npm run gen` makes the table of docs/reliability.md.
 */
export class FaultLog {
  private readonly tried = new Map<string, number>();
  private readonly lost: string[] = [];
  private readonly recoveries: number[] = [];
  private readonly waits: number[] = [];
  private readonly rests: number[] = [];
  private acknowledged = 0;
  private late: number | undefined;

  constructor(
    /** The name of the test's file. */
    private readonly name: string,
    /** What is acknowledged, in the plural. */
    private readonly unit: string,
  ) {}

  count(fault: string, times = 1): void {
    this.tried.set(fault, (this.tried.get(fault) ?? 0) + times);
  }

  acknowledge(count: number): void {
    this.acknowledged += count;
  }

  /** Something that was acknowledged and did not happen, or happened twice. */
  lose(...what: readonly string[]): void {
    this.lost.push(...what);
  }

  /** Measures how long it takes until the product works again. */
  async recover(run: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    await run();
    this.recovered(performance.now() - startedAt);
  }

  /** The product worked again after this time, in which what it needs did not work for `platformMs`. */
  recovered(ms: number, platformMs?: number): void {
    this.recoveries.push(ms);
    if (platformMs === undefined) return;
    this.waits.push(platformMs);
    this.rests.push(Math.max(0, ms - platformMs));
  }

  /** How many recoveries took longer than the test allows. */
  exceeded(count: number): void {
    this.late = count;
  }

  /** Fails if anything was lost, or if nothing was tried. */
  finish(): void {
    expect(this.lost).toEqual([]);
    expect(this.acknowledged).toBeGreaterThan(0);
    expect(this.tried.size).toBeGreaterThan(0);
    const row = {
      tried: Object.fromEntries(this.tried),
      acknowledged: this.acknowledged,
      unit: this.unit,
      lost: this.lost.length,
      recoverMs: medianAndMax(this.recoveries),
      ...(this.waits.length > 0
        ? { platformMs: medianAndMax(this.waits), restMs: medianAndMax(this.rests) }
        : {}),
      ...(this.late === undefined ? {} : { late: this.late }),
    };
    console.log(`faults: ${this.name}: ${JSON.stringify(row)}`);
    if (!isLong) return;
    const folder = join(ROOT, "tests/faults/results");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${this.name}.json`), `${JSON.stringify(row, null, 2)}\n`);
  }
}

function medianAndMax(times: readonly number[]): { median: number; max: number } {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    median: Math.round(sorted[Math.floor((sorted.length - 1) / 2)] ?? 0),
    max: Math.round(sorted.at(-1) ?? 0),
  };
}
