/**
 * `npm test`: sets up, runs every check, ends with one line `N passed, N failed`. `--unit` runs only the tests that
 * need no browser and no built product; a name or path after `--` filters the tests.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { ensureChromium } from "./lib/chromium.mjs";
import { log } from "./lib/log.mjs";
import { packages } from "./lib/packages.mjs";
import { bin, root, run } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

const unitOnly = process.argv.includes("--unit");
const filters = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
let passed = 0;
let failed = 0;

await setUp();

if (!unitOnly && filters.length === 0) {
  await check("lint and format", bin("biome"), ["check", "--error-on-warnings", "."]);
  await check("types of the tests", bin("tsc"), ["-p", "tsconfig.tests.json"]);
  await check("import rules", process.execPath, ["scripts/check-imports.mjs"]);
  await check("file sizes", process.execPath, ["scripts/check-sizes.mjs"]);
  await check("generated files", process.execPath, ["scripts/gen.mjs", "--check"]);
  await check("dead code", bin("knip"), ["--no-progress"]);
  for (const { folder } of packages()) {
    await check(`package shape of ${folder}`, bin("publint"), ["--strict", `packages/${folder}`]);
  }
}
await vitest(unitOnly ? ["unit"] : ["unit", "integration", "e2e"]);

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function check(title, command, args) {
  const started = Date.now();
  const { code, output } = await run(command, args, { quiet: true });
  log(`${code === 0 ? "ok" : "FAILED"}  ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (code === 0) passed++;
  else {
    failed++;
    process.stderr.write(output);
  }
}

async function vitest(projects) {
  const report = `${root}.cache/vitest.json`;
  mkdirSync(`${root}.cache`, { recursive: true });
  rmSync(report, { force: true });
  const chromium = projects.includes("e2e") ? await ensureChromium() : undefined;
  log(`running ${projects.join(", ")} tests …`);
  const { code } = await run(
    bin("vitest"),
    [
      "run",
      ...projects.flatMap((name) => ["--project", name]),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...filters,
    ],
    chromium ? { env: { CHROME_PATH: chromium } } : {},
  );
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
  passed += counts.numPassedTests ?? 0;
  failed += counts.numFailedTests ?? 0;
  // A file that fails to load, or an error outside a test, fails the run without failing a test.
  if (code !== 0 && !counts.numFailedTests) failed++;
}
