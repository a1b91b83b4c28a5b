/**
 * `npm test`: sets up, runs every check, ends with one line `N passed, N failed`. `--unit` runs only the tests that
 * need no browser and no built product; a name or path after `--` filters the tests. Test files that fail run once
 * more, alone, unless `--once` is given: docs/decisions/016-failed-files-run-again.md.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { ensureChromium, ensureHeadlessShell } from "./lib/chromium.mjs";
import { log } from "./lib/log.mjs";
import { ensureNats } from "./lib/nats.mjs";
import { OUTSIDE_ERRORS } from "./lib/outside-errors.mjs";
import { packages } from "./lib/packages.mjs";
import { bin, root, run } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

const unitOnly = process.argv.includes("--unit");
const once = process.argv.includes("--once");
const filters = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
/** Which cases are chosen: the same ones when a failed file runs again. */
const seed = process.env.TEST_SEED ?? String(Date.now() % 1_000_000);
/** When more files fail, something is broken; running them again would only take time. */
const MAX_FILES_AGAIN = 16;
const startedAt = performance.now();
let passed = 0;
let failed = 0;

await setUp();

if (!unitOnly && filters.length === 0) {
  const script = (name, ...args) => [process.execPath, [`scripts/${name}.mjs`, ...args]];
  // Those that take longest are first, so that none of them is left at the end.
  await checks([
    ["types of the tests", bin("tsc"), ["-p", "tsconfig.tests.json"]],
    ["dead code", bin("knip"), ["--no-progress"]],
    ["lint and format", bin("biome"), ["check", "--error-on-warnings", "."]],
    ["generated files", ...script("gen", "--check")],
    ["import rules", ...script("check-imports")],
    ["file sizes", ...script("check-sizes")],
    ...packages().map(({ folder }) => [
      `package shape of ${folder}`,
      bin("publint"),
      ["--strict", `packages/${folder}`],
    ]),
  ]);
}
await vitest();

log(`all of it took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** As many beside each other as there are processors. */
async function checks(list) {
  const left = [...list];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) await check(...next);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

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

/**
 * What runs beside each other, and what runs after that. Browsers use the processors all the time; tests without one mostly
 * wait for processes, sockets and servers, so both together take little longer than the browsers alone. With more workers for
 * browsers everything takes longer: a page costs time as long as it is open.
 */
function stages() {
  if (unitOnly) return [[["unit"]]];
  const withoutBrowser = ["unit", "integration", "two-hubs"];
  // A part that has no file of these names would fail.
  if (filters.length > 0) return [[[...withoutBrowser, "e2e", "load"]]];
  return [[["e2e"], withoutBrowser], [["load"]]];
}

async function vitest() {
  mkdirSync(`${root}.cache`, { recursive: true });
  const env = unitOnly ? {} : await ensurePrograms();
  const failures = [];
  for (const stage of stages()) {
    log(`running ${stage.flat().join(", ")} tests …`);
    const parts = await Promise.all(stage.map((projects) => runTests(projects, filters, env)));
    for (const part of parts) {
      passed += part.passed;
      failures.push(...part.failed);
    }
  }
  const files = [...new Set(failures.map(({ file }) => file))];
  if (once || files.length === 0 || files.length > MAX_FILES_AGAIN || files.includes(undefined)) {
    failed += failures.length;
    return;
  }
  log(`running ${files.length} failed files once more, alone …`);
  const again = await runTests(stages().flat(2), ["--maxWorkers=1", ...files], env);
  const stillFailed = new Set(again.failed.map(({ name }) => name));
  const unsteady = failures.filter(({ name }) => !stillFailed.has(name));
  passed += unsteady.length;
  failed += stillFailed.size;
  for (const { name } of unsteady) log(`UNSTEADY  failed, and passed when it ran again: ${name}`);
}

/** What the tests run besides Node. `npm run test:long` has the whole browser for every page. */
async function ensurePrograms() {
  return {
    CHROME_PATH: await ensureChromium(),
    NATS_PATH: await ensureNats(),
    HEADLESS_SHELL_PATH: await ensureHeadlessShell(),
  };
}

async function runTests(projects, args, env) {
  const report = `${root}.cache/vitest-${projects[0]}.json`;
  const outsideErrors = `${root}.cache/outside-errors-${projects[0]}.json`;
  for (const file of [report, outsideErrors]) rmSync(file, { force: true });
  const reporters = ["default", "json", "./scripts/lib/outside-errors.mjs"].map(
    (name) => `--reporter=${name}`,
  );
  reporters.push(`--outputFile.json=${report}`);
  const select = projects.flatMap((name) => ["--project", name]);
  const { code } = await run(bin("vitest"), ["run", ...reporters, ...select, ...args], {
    env: { ...env, TEST_SEED: seed, [OUTSIDE_ERRORS]: outsideErrors },
  });
  const { testResults = [], numPassedTests = 0 } = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : {};
  const failed = testResults.flatMap(({ name: file, status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === "failed").map((test) => test.fullName);
    // It could not be loaded.
    if (status === "failed" && tests.length === 0) tests.push("the file itself");
    return tests.map((test) => ({ file, name: `${relative(root, file)}: ${test}` }));
  });
  const outside = existsSync(outsideErrors) ? JSON.parse(readFileSync(outsideErrors, "utf8")) : [];
  for (const file of outside) {
    const where = file ? relative(root, file) : "an unknown file";
    failed.push({ file: file ?? undefined, name: `${where}: an error outside of its tests` });
  }
  // Whatever else made the run fail has no file that could run again.
  if (code !== 0 && failed.length === 0) failed.push({ file: undefined, name: "the run itself" });
  return { passed: numPassedTests, failed };
}
