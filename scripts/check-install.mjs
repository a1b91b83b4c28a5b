/**
 * Packs every package, installs `debug-bridge` from the tarballs into an empty folder and prints what that brings.
 * Fails above the limits: this is what the first `npx debug-bridge` costs. `node scripts/check-install.mjs`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installInto, packAll } from "./lib/pack.mjs";
import { setUp } from "./lib/setup.mjs";

const MAX_PACKAGES = 77;
const MAX_MEGABYTES = 77;

await setUp();
const folder = mkdtempSync(join(tmpdir(), "debug-bridge-install-"));
try {
  const tarballs = await packAll(join(folder, "tarballs"));
  const { packages, bytes } = await installInto(
    join(folder, "app"),
    tarballs.map(({ file }) => file),
  );
  const megabytes = bytes / 1e6;
  console.log(packages.map((path) => path.replace(/^node_modules\//, "")).join("\n"));
  console.log(
    `${packages.length} packages (limit ${MAX_PACKAGES}), ${megabytes.toFixed(1)} MB (limit ${MAX_MEGABYTES})`,
  );
  process.exitCode = packages.length <= MAX_PACKAGES && megabytes <= MAX_MEGABYTES ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
