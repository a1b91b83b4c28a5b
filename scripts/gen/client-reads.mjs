/**
 * Writes the digests of the code that Playwright and Puppeteer themselves send to read a page:
 * `node scripts/gen/client-reads.mjs`. It installs each version into a temporary folder, lets it read a page in Chromium
 * and records what it sends. Run it when a new version comes out, and read the texts that `--print` shows.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { log } from "../lib/log.mjs";
import { root, run } from "../lib/run.mjs";
import { readWithPlaywright, readWithPuppeteer } from "./client-reads/reads.mjs";
import { startRecorder } from "./client-reads/recorder.mjs";
import { textsOf } from "./client-reads/texts.mjs";

const VERSIONS = {
  "playwright-core": "1.57.0 1.58.2 1.59.1 1.60.0 1.61.1 1.62.1 1.63.0 1.64.1 1.65.0",
  "puppeteer-core": "24.20.0 24.30.0 24.37.5 24.40.0 24.43.1 25.4.0 25.10.0 25.16.0",
};
const OUT = join(root, "packages/protocol/src/cdp/reads/known-reads.ts");
const { readDigest } = await import(
  new URL("../../packages/protocol/dist/cdp/reads/digests.js", import.meta.url).href
);

const digests = new Set();
const printed = new Set();
for (const [name, versions] of Object.entries(VERSIONS))
  for (const version of versions.split(" ")) await record(name, version);
writeFileSync(OUT, source());
log(`${digests.size} digests`);

async function record(name, version) {
  const folder = mkdtempSync(join(tmpdir(), "client-reads-"));
  try {
    writeFileSync(join(folder, "package.json"), "{}");
    const install = [
      "install",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--silent",
      `${name}@${version}`,
    ];
    const { code, output } = await run("npm", install, { cwd: folder, quiet: true });
    if (code !== 0) throw new Error(`${name}@${version} cannot be installed:\n${output}`);
    for (const client of await load(folder, name)) await recordClient(name, client);
    log(`${name} ${version}: ${digests.size} digests so far`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The package as an import and, where it can be required, as a require: their texts can differ. */
async function load(folder, name) {
  const require = createRequire(join(folder, "package.json"));
  const found = [];
  try {
    found.push(require(name));
  } catch {
    // It is a module only.
  }
  const entry = name === "puppeteer-core" ? "lib/esm/puppeteer/puppeteer-core.js" : "index.mjs";
  const path = join(folder, "node_modules", name, entry);
  found.push(
    await import(pathToFileURL(path).href).catch(() => import(pathToFileURL(require.resolve(name)).href)),
  );
  return found.map((each) => each.default ?? each);
}

async function recordClient(name, client) {
  const recorder = await startRecorder();
  try {
    recorder.isRecording = true;
    if (name === "playwright-core") await readWithPlaywright(client, recorder.endpoint);
    else await readWithPuppeteer(client, recorder.endpoint);
    for (const command of recorder.commands)
      for (const [kind, text] of textsOf(command)) {
        digests.add(readDigest(kind, text));
        print(kind, text);
      }
  } finally {
    await recorder.close();
  }
}

function print(kind, text) {
  if (!process.argv.includes("--print") || printed.has(kind + text)) return;
  printed.add(kind + text);
  console.log(`--- ${kind} (${text.length})\n${text.slice(0, 2_000)}`);
}

function source() {
  const lines = [...digests].sort().join("\n");
  const versions = Object.entries(VERSIONS).map(([name, list]) => ` * ${name} ${list.replaceAll(" ", ", ")}`);
  return `/**
 * Digests of the code that clients send to read a page, written by scripts/gen/client-reads.mjs from these versions:
${versions.join("\n")}
 */
export const KNOWN_READS = \`
${lines}
\`;
`;
}
