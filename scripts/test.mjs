/**
 * `npm test`: sets up, runs every check, ends with one line `N passed, N failed`. `--unit` runs only the tests that
 * need no browser and no built product; a name or path after `--` filters the tests. Test files that fail run once
 * more, alone, unless `--once` is given: docs/decisions/016-failed-files-run-again.md.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { ensureChromium } from "./lib/chromium.mjs";
import { log } from "./lib/log.mjs";
import { ensureNats } from "./lib/nats.mjs";
import { OUTSIDE_ERRORS } from "./lib/outside-errors.mjs";
import { packages } from "./lib/packages.mjs";
import { bin, root, run } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

const unitOnly = process.argv.includes("--unit");
const once = process.argv.includes("--once");
const filters = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
/** When more files fail, something is broken; running them again would only take time. */
const MAX_FILES_AGAIN = 8;
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
await vitest(unitOnly ? ["unit"] : ["unit", "integration", "two-hubs", "e2e", "load"]);

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
  mkdirSync(`${root}.cache`, { recursive: true });
  const chromium = projects.includes("e2e") ? await ensureChromium() : undefined;
  const nats = projects.includes("integration") ? await ensureNats() : undefined;
  const env = { ...(chromium ? { CHROME_PATH: chromium } : {}), ...(nats ? { NATS_PATH: nats } : {}) };
  const select = projects.flatMap((name) => ["--project", name]);
  log(`running ${projects.join(", ")} tests …`);
  const first = await runTests([...select, ...filters], env);
  passed += first.passed;
  const files = [...new Set(first.failed.map(({ file }) => file))];
  if (once || files.length === 0 || files.length > MAX_FILES_AGAIN || files.includes(undefined)) {
    failed += first.failed.length;
    return;
  }
  log(`running ${files.length} failed files once more, alone …`);
  const again = await runTests([...select, "--maxWorkers=1", ...files], env);
  const stillFailed = new Set(again.failed.map(({ name }) => name));
  const unsteady = first.failed.filter(({ name }) => !stillFailed.has(name));
  passed += unsteady.length;
  failed += stillFailed.size;
  for (const { name } of unsteady) log(`UNSTEADY  failed, and passed when it ran again: ${name}`);
}

async function runTests(args, env) {
  const report = `${root}.cache/vitest.json`;
  rmSync(report, { force: true });
  rmSync(OUTSIDE_ERRORS, { force: true });
  const reporters = ["default", "json", "./scripts/lib/outside-errors.mjs"].map(
    (name) => `--reporter=${name}`,
  );
  reporters.push(`--outputFile.json=${report}`);
  const { code } = await run(bin("vitest"), ["run", ...reporters, ...args], { env });
  const { testResults = [], numPassedTests = 0 } = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : {};
  const failed = testResults.flatMap(({ name: file, status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === "failed").map((test) => test.fullName);
    // It could not be loaded.
    if (status === "failed" && tests.length === 0) tests.push("the file itself");
    return tests.map((test) => ({ file, name: `${relative(root, file)}: ${test}` }));
  });
  const outside = existsSync(OUTSIDE_ERRORS) ? JSON.parse(readFileSync(OUTSIDE_ERRORS, "utf8")) : [];
  for (const file of outside) {
    const where = file ? relative(root, file) : "an unknown file";
    failed.push({ file: file ?? undefined, name: `${where}: an error outside of its tests` });
  }
  // Whatever else made the run fail has no file that could run again.
  if (code !== 0 && failed.length === 0) failed.push({ file: undefined, name: "the run itself" });
  return { passed: numPassedTests, failed };
}
