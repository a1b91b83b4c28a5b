import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packages } from "../lib/packages.mjs";
import { root } from "../lib/run.mjs";

const REPOSITORY = "https://github.com/debug-bridge/debug-bridge";

/** What every package needs to be published: the fields that say where it comes from, and the license in its tarball. */
export function packageMetadata() {
  const license = readFileSync(join(root, "LICENSE"), "utf8");
  return packages().flatMap(({ folder, manifest }) => [
    [`packages/${folder}/LICENSE`, license],
    [`packages/${folder}/package.json`, `${JSON.stringify(withMetadata(folder, manifest), null, 2)}\n`],
  ]);
}

function withMetadata(folder, manifest) {
  const { name, version, description, keywords = ["debug-bridge"], license, files, ...rest } = manifest;
  const {
    homepage: _h,
    bugs: _b,
    repository: _r,
    publishConfig: _p,
    type,
    engines,
    sideEffects,
    bin,
    ...others
  } = rest;
  return {
    name,
    version,
    description,
    keywords,
    license,
    homepage: `${REPOSITORY}/tree/main/packages/${folder}#readme`,
    repository: { type: "git", url: `git+${REPOSITORY}.git`, directory: `packages/${folder}` },
    bugs: { url: `${REPOSITORY}/issues` },
    type,
    engines,
    sideEffects,
    ...(bin ? { bin } : {}),
    // Dot files in dist are the stamps of the build.
    files: [
      ...files.filter((pattern) => !pattern.startsWith("!dist") && pattern !== "README.md"),
      "!dist/.*",
    ],
    ...others,
    publishConfig: { access: "public", provenance: true },
  };
}
