import fc from "fast-check";

/** The short run is part of `npm test` and always the same; `npm run fuzz` sets a time and a seed. */
const DEFAULT_SEED = 20_261_115;
const seconds = Number(process.env.FUZZ_SECONDS ?? 0);
const seed = Number(process.env.FUZZ_SEED ?? DEFAULT_SEED);

const isLongRun = seconds > 0;

/** Time for one test: in a long run its share of the seconds, and time to shrink what it finds. */
export const testTimeoutMs = isLongRun ? seconds * 2_000 + 60_000 : 300_000;

/** Runs in one round of a long run; each round has a separate seed. */
const ROUND_RUNS = 10;

/**
 * Runs a property `shortRuns` times, or in a long run until its share of the time is over. A failure prints the seed
 * and the shrunk input. Rounds are never interrupted, since a run that goes on would disturb the next test.
 */
export async function fuzz<Input>(
  arbitrary: fc.Arbitrary<Input>,
  shortRuns: number,
  property: (input: Input) => Promise<void> | void,
  share = 1,
): Promise<void> {
  const deadline = Date.now() + seconds * 1_000 * share;
  const checked = fc.asyncProperty(arbitrary, async (input) => property(input));
  const numRuns = isLongRun ? ROUND_RUNS : shortRuns;
  let round = 0;
  do {
    await fc.assert(checked, { seed: seed + round, numRuns });
    round++;
  } while (Date.now() < deadline);
}
