import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { packages } from "../../../scripts/lib/packages.mjs";
import { ROOT, start, temporaryFolder } from "../../fixtures.js";

/** A copy of what a release changes, in a separate folder. */
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
  // The changes that wait for the next release are not those of the test.
  for (const name of readdirSync(join(folder, ".changeset")))
    if (name.endsWith(".md") && name !== "README.md") rmSync(join(folder, ".changeset", name));
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
  const notes = join(folder, "notes.md");
  expect(await script("check-release.mjs", `v${next}`, notes)).toMatchObject({ code: 0 });
  expect(readFileSync(notes, "utf8")).toMatch(/^### Minor changes\n[^#]*### Patch changes\n[^#]*$/);
  expect((await script("check-release.mjs", "v99.0.0")).stderr).toContain("no entry for 99.0.0");
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

it("is published by a workflow that signs what it publishes, with commands that exist", () => {
  const workflow = parse(readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8"));
  expect(workflow.permissions).toMatchObject({ "id-token": "write", attestations: "write" });
  const commands: string[] = workflow.jobs.publish.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(commands.find((command) => command.startsWith("npm publish"))).toContain("--provenance");
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const command of commands) {
    const [, script] = /^npm run (\S+)/.exec(command) ?? [];
    if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
    const [, file] = /^(?:node )?((?:scripts|\.ci)\/\S+)/.exec(command) ?? [];
    if (file !== undefined) expect(existsSync(join(ROOT, file)), file).toBe(true);
  }
  expect(commands.length).toBeGreaterThan(5);
});
