/**
 * `npm run test:faults [-- NAME…]`: tries every fault many times, or those whose name is given: `hub`, `disk`, … It writes what
 * was tried and lost to `tests/faults/results`; `npm run gen` makes the table of docs/reliability.md of it. It takes long.
 */
import { readdirSync } from "node:fs";
import { ensureChromium } from "./lib/chromium.mjs";
import { ensureNats } from "./lib/nats.mjs";
import { bin, root, run } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

const names = process.argv.slice(2);
const tests = readdirSync(`${root}tests/faults`).filter((file) => file.endsWith(".test.ts"));
const nameOf = (file) => file.split(".")[0];
const unknown = names.filter((name) => !tests.some((file) => nameOf(file) === name));
if (unknown.length > 0) {
  console.error(`no fault is called ${unknown.join(" or ")}; there are ${tests.map(nameOf).join(", ")}`);
  process.exit(2);
}

await setUp();
const env = { TEST_LONG: "1", CHROME_PATH: await ensureChromium(), NATS_PATH: await ensureNats() };
const chosen = tests.filter((file) => names.length === 0 || names.includes(nameOf(file)));
const files = chosen.map((file) => `tests/faults/${file}`);
const { code } = await run(bin("vitest"), ["run", "--project", "faults", ...files], { env });
process.exit(code);
