import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { zipSync } from "fflate";
import { filesBelow } from "./packages.mjs";
import { root } from "./run.mjs";

const FOLDER = join(root, "packages/extension/dist/unpacked");

/**
 * The built extension as the Chrome Web Store takes it. The store gives every item its own id and refuses a
 * manifest with a key; what pairs a copy with a hub comes from its person, by a code.
 */
export function zipExtension() {
  const entries = filesBelow(FOLDER).map((path) => [relative(FOLDER, path), readFileSync(path)]);
  const { key: _key, ...manifest } = JSON.parse(readFileSync(join(FOLDER, "manifest.json"), "utf8"));
  const text = JSON.stringify(manifest, null, 2);
  const files = { ...Object.fromEntries(entries), "manifest.json": Buffer.from(text) };
  return zipSync(files, { level: 9, mtime: "2000-01-01T00:00:00Z" });
}
