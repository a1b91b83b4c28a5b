/**
 * `npm run test:long [-- PATH]`: runs all cases of the tests of which `npm test` runs some (the files that use
 * `tests/support/machine/long-mode.ts`), and the files that it leaves out (`*.long.test.ts`). PATH `two-hubs` stands for all tests that run once more across two hubs. It takes minutes.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { ensureChromium } from "./lib/chromium.mjs";
import { ensureNats } from "./lib/nats.mjs";
import { filesBelow } from "./lib/packages.mjs";
import { bin, root, run } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

const filters = process.argv.slice(2);
const hasLongMode = (file) =>
  file.endsWith(".long.test.ts") || readFileSync(file, "utf8").includes("/long-mode.js");
const files = filesBelow(`${root}tests`)
  .filter((file) => file.endsWith(".test.ts") && hasLongMode(file))
  .map((file) => relative(root, file))
  // Those of the faults have a separate command.
  .filter((file) => !file.startsWith("tests/faults"))
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
// The tests of the in-app bridge, the relay and the chat that run once more across two hubs.
const isAcrossHubs = filters.length === 0 || filters.includes("two-hubs");
if (files.length === 0 && !isAcrossHubs) {
  console.error(`no test with a long mode has ${filters.join(" or ")} in its path`);
  process.exit(2);
}

await setUp();
const env = { TEST_LONG: "1", CHROME_PATH: await ensureChromium(), NATS_PATH: await ensureNats() };
const projects = ["--project", "integration", "--project", "e2e", "--project", "load"];
const runs = [
  ...(files.length > 0 ? [[...projects, ...files]] : []),
  ...(isAcrossHubs ? [["--project", "two-hubs"]] : []),
];
let failed = 0;
for (const args of runs) failed ||= (await run(bin("vitest"), ["run", ...args], { env })).code;
process.exit(failed);
