import { writeFileSync } from "node:fs";
import { root } from "./run.mjs";

/**
 * Where the reporter below writes which files had errors outside of tests: a path for each error, or `null` where Vitest
 * does not know it. The JSON report does not have them.
 */
export const OUTSIDE_ERRORS = `${root}.cache/outside-errors.json`;

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by it
export default class OutsideErrors {
  onTestRunEnd(_modules, errors) {
    writeFileSync(OUTSIDE_ERRORS, JSON.stringify(errors.map((error) => error.VITEST_TEST_PATH ?? null)));
  }
}
