/**
 * Peers that only benchmarks need, from the npm registry: installed in .cache/peers when a benchmark asks for them first.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const PEERS_FOLDER = fileURLToPath(new URL("../../.cache/peers", import.meta.url));
const VERSIONS = { "agent-browser": "0.41.1", "@rrweb/record": "2.1.6" };
const run = promisify(execFile);

/** The folder of a peer. Throws when it cannot be installed. */
export async function peerFolder(name) {
  const folder = join(PEERS_FOLDER, "node_modules", name);
  const manifest = `${JSON.stringify({ private: true, dependencies: VERSIONS }, null, 2)}\n`;
  const path = join(PEERS_FOLDER, "package.json");
  if (existsSync(folder) && existsSync(path) && readFileSync(path, "utf8") === manifest) return folder;
  mkdirSync(PEERS_FOLDER, { recursive: true });
  writeFileSync(path, manifest);
  await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
    cwd: PEERS_FOLDER,
  });
  return folder;
}
