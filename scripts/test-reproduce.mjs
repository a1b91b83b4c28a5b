/**
 * `npm run test:reproduce [-- -t NAME]`: records ten failures of 30 to 200 actions, reproduces each, and runs the written
 * tests before and after the fix. It prints a table. It takes minutes, so that `npm test` has only the one that docs/recording.md shows.
 */
import { ensureChromium } from "./lib/chromium.mjs";
import { bin, run } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

await setUp();
const env = { CHROME_PATH: await ensureChromium() };
const { code } = await run(bin("vitest"), ["run", "--project", "reproduce", ...process.argv.slice(2)], {
  env,
});
process.exit(code);
