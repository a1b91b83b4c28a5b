import { afterAll, expect, test } from "vitest";
import { IN_THE_PAGE } from "./cases/in-the-page.js";
import { WITH_REQUESTS } from "./cases/with-requests.js";
import { type CaseResult, runCase } from "./run-case.js";

const MAX_SECONDS = 120;
const results: CaseResult[] = [];

test.each([...WITH_REQUESTS, ...IN_THE_PAGE])("$name", async (about) => {
  const result = await runCase(about);
  results.push(result);
  expect(result.actions).toBeGreaterThanOrEqual(30);
  expect(result).toMatchObject({
    found: result.minimum,
    test: { before: 1, after: 0 },
    verify: { before: 1, after: 0 },
    writes: [],
  });
  expect(result.seconds).toBeLessThan(MAX_SECONDS);
});

afterAll(() => {
  const rows = results.map(({ name, actions, recorded, found, minimum, trials, seconds, rate, timed }) => ({
    ...{ name, actions, recorded, found, minimum, trials, timed },
    seconds: Math.round(seconds),
    rate: `${rate.failed}/${rate.of}`,
  }));
  console.table(rows);
});
