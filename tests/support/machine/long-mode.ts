/**
 * Tests of many cases of the same kind. `npm test` runs some of each kind, others each time; `npm run test:long` runs all
 * of them. A run is repeated with the seed that it printed: `TEST_SEED=N npm test -- PATH`.
 */
/** Whether everything is run. */
export const isLong = process.env.TEST_LONG === "1";
const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
let isPrinted = false;

function printedSeed(): number {
  if (!isPrinted) console.log(`some of the cases were chosen with TEST_SEED=${seed}`);
  isPrinted = true;
  return seed;
}

/** For fast-check: how many cases it makes, in `npm test` and in the long mode, and from which seed. */
export const randomCases = (short: number, long: number): { numRuns: number; seed: number } => ({
  numRuns: isLong ? long : short,
  seed: printedSeed(),
});

/** Some of these, in their order; all of them in the long mode. */
export function someOf<Case>(cases: readonly Case[], count: number): Case[] {
  return isLong || cases.length <= count ? [...cases] : choose(cases, count, printedSeed());
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomNumbers(): () => number {
  let state = (printedSeed() % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The same choice for the same seed. */
export function choose<Case>(cases: readonly Case[], count: number, from: number): Case[] {
  // Lehmer's generator.
  let state = (from % 2_147_483_646) + 1;
  const places = cases.map(() => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  });
  const chosen = places.toSorted((a, b) => a - b).slice(0, count);
  return cases.filter((_, index) => chosen.includes(places[index] as number));
}
