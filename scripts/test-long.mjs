/**
 * `npm run test:long [-- PATH]`: runs all cases of the tests of which `npm test` runs some: the files that use
 * `tests/support/long-mode.ts`. It takes minutes.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { ensureChromium } from "./lib/chromium.mjs";
import { filesBelow } from "./lib/packages.mjs";
import { bin, root, run } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

const filters = process.argv.slice(2);
const files = filesBelow(`${root}tests`)
  .filter((file) => file.endsWith(".test.ts") && readFileSync(file, "utf8").includes("/long-mode.js"))
  .map((file) => relative(root, file))
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
if (files.length === 0) {
  console.error(`no test with a long mode has ${filters.join(" or ")} in its path`);
  process.exit(2);
}

await setUp();
const env = { TEST_LONG: "1", CHROME_PATH: await ensureChromium() };
const projects = ["--project", "integration", "--project", "e2e"];
const { code } = await run(bin("vitest"), ["run", ...projects, ...files], { env });
process.exit(code);
