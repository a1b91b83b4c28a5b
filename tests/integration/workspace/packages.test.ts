import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { describe, expect, it } from "vitest";
import { packages } from "../../../scripts/lib/packages.mjs";
import { type Finished, ROOT, start, temporaryFolder } from "../../fixtures.js";

const all = packages() as { folder: string; dir: string; manifest: Manifest }[];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Record<string, unknown>;
  readonly engines?: { node: string };
  readonly [key: string]: unknown;
}

async function run(command: string, args: string[], cwd: string): Promise<Finished> {
  const finished = await start(command, args, {}, cwd).finished;
  expect(finished, finished.stderr).toMatchObject({ code: 0 });
  return finished;
}

describe("every package", () => {
  it.each(all)("$folder says what it is, what it needs and what it holds", ({ dir, manifest }) => {
    expect(manifest).toMatchObject({
      license: "MIT",
      type: "module",
      engines: { node: ">=20.19" },
      files: expect.arrayContaining(["dist"]),
      description: expect.any(String),
    });
    expect(manifest).toHaveProperty("sideEffects");
    expect(readFileSync(join(dir, "README.md"), "utf8").length).toBeGreaterThan(200);
  });

  it("installs from its tarball into an empty folder, and what it exports can be imported [APP-089]", async () => {
    const folder = temporaryFolder();
    const packed = await run(
      "npm",
      ["pack", "--workspaces", "--json", "--pack-destination", folder, "--ignore-scripts"],
      ROOT,
    );
    const tarballs = (JSON.parse(packed.stdout) as { filename: string; name: string }[])
      .filter(({ name }) => all.some(({ manifest }) => manifest.name === name))
      .map(({ filename }) => join(folder, filename));
    expect(tarballs).toHaveLength(all.length);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await run(
      "npm",
      ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", ...tarballs],
      folder,
    );
    const entries = all.flatMap(({ manifest }) =>
      Object.entries(manifest.exports ?? {}).map(([path, target]) => ({
        name: join(manifest.name, path),
        target,
      })),
    );
    for (const { name } of entries.filter(({ target }) => typeof target === "string")) {
      const file = `import { fileURLToPath } from "node:url"; console.log(fileURLToPath(import.meta.resolve(${JSON.stringify(name)})))`;
      const { stdout } = await run(process.execPath, ["--input-type=module", "-e", file], folder);
      expect(existsSync(stdout.trim()), name).toBe(true);
    }
    const modules = entries.filter(
      ({ target, name }) => typeof target !== "string" && name !== "debug-bridge",
    );
    const script = modules.map(({ name }) => `await import(${JSON.stringify(name)});`).join("\n");
    await run(process.execPath, ["--input-type=module", "-e", script], folder);
    const { stdout } = await run(join(folder, "node_modules/.bin/debug-bridge"), ["--version"], folder);
    expect(stdout.trim()).toBe(all.find(({ folder: name }) => name === "cli")?.manifest.version);
  }, 180_000);
});

it("has its command in a clone as soon as that is set up", async () => {
  const { stdout } = await run(join(ROOT, "node_modules/.bin/debug-bridge"), ["--version"], ROOT);
  expect(stdout.trim()).toBe(all.find(({ folder }) => folder === "cli")?.manifest.version);
});

describe("the root entry of the protocol", () => {
  async function bundle(specifier: string): Promise<string> {
    const result = await build({
      configFile: false,
      logLevel: "silent",
      root: ROOT,
      build: {
        write: false,
        minify: false,
        lib: { entry: join(ROOT, "packages/protocol/dist", specifier), formats: ["es"], fileName: "out" },
      },
    });
    const [{ output }] = result as unknown as [{ output: [{ code: string }] }];
    return output[0].code;
  }

  it("bundles for a page without zod and without Node", async () => {
    const code = await bundle("index.js");
    expect(code).toContain("BridgeError");
    expect(code).not.toMatch(/zod/i);
    expect(code).not.toMatch(/from\s*["']node:|require\(/);
  });

  it("is what makes the difference: the schemas do bundle zod", async () => {
    expect(await bundle("schemas.js")).toMatch(/ZodObject/);
  });
});
