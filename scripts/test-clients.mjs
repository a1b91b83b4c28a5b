/**
 * `npm run test:clients [-- FILTER]`: tests with software of others: real agents with stand-ins for their models, the published
 * SDK, and apps that the frameworks' own tools create, in their newest version. It needs the registry and takes minutes, so
 * that it is not a part of `npm test`.
 */
import { ensureChromium } from "./lib/chromium.mjs";
import { bin, run } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

await setUp();
const env = { CHROME_PATH: await ensureChromium() };
const { code } = await run(bin("vitest"), ["run", "--project", "clients", ...process.argv.slice(2)], { env });
process.exit(code);
