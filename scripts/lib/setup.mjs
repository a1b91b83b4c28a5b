import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { buildAll } from "../build.mjs";
import { fail, log } from "./log.mjs";
import { root, run } from "./run.mjs";

const STAMP = `${root}node_modules/.cache/debug-bridge-install`;
const MIN_NODE = [20, 19];

/** Installs the dependencies unless those of this lock file are already installed for this Node. */
async function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
    fail(
      `Node ${MIN_NODE.join(".")} or later is required; this is ${process.versions.node}. Get it from nodejs.org`,
    );
  }
  const wanted = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .update(`${process.platform} ${process.arch} ${major}`)
    .digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  // Not `npm ci`: it refuses a lock file that was written where the registry lacks the binaries of other platforms.
  log("installing dependencies (npm install) …");
  const { code } = await run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
  if (code !== 0)
    fail("npm failed; the lines above show why. Check the network and the npm registry, then try again");
  mkdirSync(`${root}node_modules/.cache`, { recursive: true });
  writeFileSync(STAMP, wanted);
}

/** Installs and builds everything that the product and its tests need. */
export async function setUp() {
  await ensureInstalled();
  await buildAll();
}
