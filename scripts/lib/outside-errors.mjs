import { writeFileSync } from "node:fs";

/**
 * The variable that says where the reporter below writes which files had errors outside of tests: a path for each error, or
 * `null` where Vitest does not know it. The JSON report does not have them.
 */
export const OUTSIDE_ERRORS = "OUTSIDE_ERRORS_FILE";

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by it
export default class OutsideErrors {
  onTestRunEnd(_modules, errors) {
    const file = process.env[OUTSIDE_ERRORS];
    if (file) writeFileSync(file, JSON.stringify(errors.map((error) => error.VITEST_TEST_PATH ?? null)));
  }
}
