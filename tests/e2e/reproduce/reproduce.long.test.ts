import { expect, test } from "vitest";
import { WITH_REQUESTS } from "../../reproduce/cases/with-requests.js";
import { runCase } from "../../reproduce/run-case.js";

/**
 * One that needs the network and the clock of its recording, with a quarter of its other actions, for `npm run test:long`. All of
 * them are in `npm run test:reproduce`.
 */
const CASES = WITH_REQUESTS.filter(({ name }) => name === "race of two searches");

test.each(CASES)(
  "$name: shrinks to the known minimum; the written test fails, and passes after the fix",
  async (about) => {
    const result = await runCase(about, 0.25);
    expect(result).toMatchObject({
      found: result.minimum,
      rate: { failed: 5, of: 5 },
      test: { before: 1, after: 0 },
      verify: { before: 1, after: 0 },
      writes: [],
    });
  },
);
