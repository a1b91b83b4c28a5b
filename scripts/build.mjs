import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, log } from "./lib/log.mjs";
import { filesBelow, packages } from "./lib/packages.mjs";
import { bin, root, run } from "./lib/run.mjs";

/**
 * Builds what is stale: TypeScript first (`tsc -b` knows what changed), then the bundles of the packages that run in
 * a page. A package that has a bundle has a `bundle.mjs`.
 */
export async function buildAll() {
  const { code } = await run(bin("tsc"), ["-b"]);
  if (code !== 0) fail("the TypeScript build failed; the lines above show where");
  for (const { folder, dir } of bundledPackages()) {
    const stamp = join(dir, "dist", ".bundle-stamp");
    const wanted = fingerprint(dir);
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) continue;
    log(`bundling ${folder} …`);
    const bundled = await run(process.execPath, ["bundle.mjs"], { cwd: dir });
    if (bundled.code !== 0) fail(`bundling ${folder} failed; the lines above show why`);
    writeFileSync(stamp, wanted);
  }
}

/** The extension takes its styles from the bundle of `ui`, so that comes first; the command contains all that it uses. */
function bundledPackages() {
  const place = ({ folder }) => (folder === "ui" ? 0 : folder === "cli" ? 2 : 1);
  const bundled = packages().filter(({ dir }) => existsSync(join(dir, "bundle.mjs")));
  return bundled.sort((a, b) => place(a) - place(b));
}

/** Changes when a source file of this package, or of one that could be bundled into it, changes. */
function fingerprint(dir) {
  const hash = createHash("sha256");
  const names = ["protocol", "page", "journal", "agent", "client", "ui"];
  if (basename(dir) === "cli") names.push("mcp", "server", "driver", "runner");
  const inputs = [dir, ...names.map((name) => join(root, "packages", name))];
  const files = inputs.flatMap((input) => filesBelow(input));
  // TypeScript writes files again when the types of a dependency change; vendored imports have to be pointed again.
  const emitted = join(dir, "dist", ".tsbuildinfo");
  for (const file of [...files, join(root, "package-lock.json"), emitted].filter((path) =>
    existsSync(path),
  )) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildAll();
