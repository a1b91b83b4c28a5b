import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packages } from "../../../scripts/lib/packages.mjs";
import { ROOT, start, temporaryFolder } from "../../fixtures.js";

/** A copy of what a release changes, in a folder of its own. */
function releaseCopy(): string {
  const folder = temporaryFolder();
  const manifests = ["packages", "examples", "tests"].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}/package.json`),
  );
  for (const path of [
    "package.json",
    "package-lock.json",
    ".npmrc",
    "CHANGELOG.md",
    ".changeset",
    ...manifests,
  ])
    if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  cpSync(join(ROOT, "scripts"), join(folder, "scripts"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

const change = (name: string, kind: string, text: string): string =>
  `---\n"${name}": ${kind}\n---\n\n${text}\n`;

it("gives all packages the next version, and the changelog one entry with every change once", async () => {
  const folder = releaseCopy();
  writeFileSync(
    join(folder, ".changeset/one.md"),
    change("@debug-bridge/page", "minor", "Views show more.\nAll."),
  );
  writeFileSync(join(folder, ".changeset/two.md"), change("debug-bridge", "patch", "Help is wrapped."));
  const script = (name: string, ...args: string[]) =>
    start(process.execPath, [join(folder, "scripts", name), ...args], {}, folder).finished;
  expect(await script("version.mjs")).toMatchObject({ code: 0 });

  const { version } = JSON.parse(readFileSync(join(ROOT, "packages/cli/package.json"), "utf8"));
  const [major, minor] = version.split(".").map(Number);
  const next = `${major}.${minor + 1}.0`;
  expect(await script("check-release.mjs", `v${next}`)).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, ".changeset")).sort()).toEqual([
    "README.md",
    "changelog.cjs",
    "config.json",
  ]);
  const changelog = readFileSync(join(folder, "CHANGELOG.md"), "utf8");
  expect(changelog.indexOf(`## ${next} (`)).toBeLessThan(changelog.indexOf(`## ${version} `));
  expect(changelog).toContain(
    "### Minor changes\n\n- Views show more.\n  All.\n\n### Patch changes\n\n- Help is wrapped.\n",
  );
  expect(packages(folder).filter(({ dir }) => existsSync(join(dir, "CHANGELOG.md")))).toEqual([]);
  // Examples use the new versions too, and so does the lock file.
  const shop = JSON.parse(readFileSync(join(folder, "examples/shop-react/package.json"), "utf8"));
  expect(shop.devDependencies["@debug-bridge/browser"]).toBe(next);
  const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  expect(lock.packages["packages/cli"].version).toBe(next);
});
