/**
 * `npm run fuzz [-- WIRE] [--seconds N] [--seed S]`: fuzzes every wire and file format, or those whose name contains
 * WIRE, each for N seconds with a new seed. A failure prints the seed, the shrunk input and how to run it again.
 */
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { bin, root, run } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

const DEFAULT_SECONDS = 60;
const SUFFIX = ".test.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string" }, seed: { type: "string" } },
});
const seconds = wholeNumber("--seconds", values.seconds, DEFAULT_SECONDS);
const seed = wholeNumber("--seed", values.seed, Date.now() % 2 ** 31);
const wires = readdirSync(`${root}tests/fuzz`)
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length));
const chosen = wires.filter(
  (wire) => positionals.length === 0 || positionals.some((name) => wire.includes(name)),
);
if (chosen.length === 0) fail(`no wire is called ${positionals.join(", ")}; choose from ${wires.join(", ")}`);

await setUp();
const failed = [];
for (const wire of chosen) {
  console.log(`fuzzing ${wire} for ${seconds} s with seed ${seed} …`);
  const { code } = await run(
    bin("vitest"),
    ["run", "--project", "integration", `tests/fuzz/${wire}${SUFFIX}`],
    { env: { FUZZ_SECONDS: String(seconds), FUZZ_SEED: String(seed) } },
  );
  if (code !== 0) failed.push(wire);
}
for (const wire of failed)
  console.log(`FAILED ${wire}; run it again: npm run fuzz -- ${wire} --seed ${seed}`);
process.exit(failed.length === 0 ? 0 : 1);

function wholeNumber(name, text, otherwise) {
  if (text === undefined) return otherwise;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  return fail(`${name} is ${JSON.stringify(text)}; it must be a whole number`);
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
