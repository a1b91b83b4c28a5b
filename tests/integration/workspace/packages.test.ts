import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, relative, sep } from "node:path";
import { build } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import { installInto, packAll } from "../../../scripts/lib/pack.mjs";
import { packages } from "../../../scripts/lib/packages.mjs";
import { type Finished, ROOT, start, temporaryFolder } from "../../fixtures.js";

const all = packages() as { folder: string; dir: string; manifest: Manifest }[];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Record<string, unknown>;
  readonly engines?: { node: string };
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly [key: string]: unknown;
}

async function run(command: string, args: string[], cwd: string): Promise<Finished> {
  const finished = await start(command, args, {}, cwd).finished;
  expect(finished, finished.stderr).toMatchObject({ code: 0 });
  return finished;
}

const isWindows = process.platform === "win32";

/** A tarball of each package, as `npm publish` would upload it, and all of them installed into an empty folder. */
interface Published {
  readonly app: string;
  readonly installed: { readonly packages: string[]; readonly bytes: number };
  readonly filesOf: (name: string) => readonly string[];
  readonly read: (name: string, path: string) => string;
}

let published: Published;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-packages-"));
  const app = join(folder, "app");
  const tarballs = await packAll(join(folder, "tarballs"));
  expect(tarballs.map(({ name }) => name).sort()).toEqual(all.map(({ manifest }) => manifest.name).sort());
  const installed = await installInto(
    app,
    tarballs.map(({ file }) => file),
  );
  published = {
    app,
    installed,
    filesOf: (name) => tarballs.find((tarball) => tarball.name === name)?.files ?? [],
    read: (name, path) => readFileSync(join(app, "node_modules", name, path), "utf8"),
  };
  return () => rmSync(folder, { recursive: true, force: true });
});

describe("every package", () => {
  it.each(all)("$folder describes itself and where it comes from", ({ dir, folder, manifest }) => {
    expect(manifest).toMatchObject({
      license: "MIT",
      type: "module",
      engines: { node: ">=20.19" },
      files: expect.arrayContaining(["dist"]),
      description: expect.any(String),
      keywords: expect.arrayContaining(["debug-bridge"]),
      homepage: expect.stringMatching(/^https:/),
      bugs: { url: expect.stringMatching(/^https:/) },
      repository: {
        type: "git",
        url: expect.stringMatching(/^git\+https:/),
        directory: `packages/${folder}`,
      },
      publishConfig: { access: "public", provenance: true },
    });
    expect(manifest).toHaveProperty("sideEffects");
    expect(readFileSync(join(dir, "README.md"), "utf8").length).toBeGreaterThan(200);
  });

  it.each(all)("$folder has its license, and no file of the build, in its tarball", ({ manifest }) => {
    const files = published.filesOf(manifest.name);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(files.filter((path) => /\/\.|\.tsbuildinfo$|\.test\.|^src\//.test(path))).toEqual([]);
    expect(published.read(manifest.name, "LICENSE")).toBe(readFileSync(join(ROOT, "LICENSE"), "utf8"));
  });

  it.each(all)("$folder has no source map that points to a missing file", ({ manifest }) => {
    const files = published.filesOf(manifest.name);
    const maps = files.filter((path) => path.endsWith(".map"));
    for (const path of maps) {
      const { sources, sourcesContent } = JSON.parse(published.read(manifest.name, path));
      expect(sourcesContent, path).toHaveLength(sources.length);
    }
    const missing = files
      .filter((path) => /\.(js|css|d\.ts)$/.test(path))
      .flatMap((path) => {
        const reference = /^\/[/*]# sourceMappingURL=(?!data:)(\S+)/m;
        const [, map] = reference.exec(published.read(manifest.name, path)) ?? [];
        return map === undefined || maps.includes(join(dirname(path), map)) ? [] : [`${path}: ${map}`];
      });
    expect(missing).toEqual([]);
  });

  it.each(all)("$folder has a README whose links work outside of the repository", ({ manifest }) => {
    const files = published.filesOf(manifest.name);
    const links = [...published.read(manifest.name, "README.md").matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, link]) => link as string,
    );
    const repository = /^https:\/\/github\.com\/debug-bridge\/debug-bridge\/(?:blob|tree)\/main\/([^#]+)/;
    for (const link of links) {
      const [, inRepository] = repository.exec(link) ?? [];
      if (inRepository !== undefined) expect(existsSync(join(ROOT, inRepository)), link).toBe(true);
      else if (!/^(https?:|#)/.test(link))
        expect(files, link).toContain(link.replace(/^\.\//, "").replace(/#.*/, ""));
    }
  });

  it.each(all)("$folder declares every package that its code and its types import", ({ manifest }) => {
    const { dependencies = {}, peerDependencies = {} } = manifest;
    const declared = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies), manifest.name]);
    for (const { path, name } of reachableImports(manifest)) {
      expect(declared, `${manifest.name}/${path}`).toContain(name);
      const hasOwnTypes = existsSync(join(published.app, "node_modules", name, "package.json"))
        ? /"types"|\.d\.[mc]?ts"/.test(published.read(name, "package.json"))
        : true;
      if (path.endsWith(".d.ts") && !hasOwnTypes)
        expect(declared, `types for ${name} in ${manifest.name}/${path}`).toContain(`@types/${name}`);
    }
  });
});

describe("the installed packages", () => {
  it("can be imported by each of their entries, and the command runs [APP-089]", async () => {
    const { app } = published;
    const entries = all.flatMap(({ manifest }) =>
      Object.entries(manifest.exports ?? {}).map(([path, target]) => ({
        name: posix.join(manifest.name, path),
        target,
      })),
    );
    const files = entries.filter(({ target }) => typeof target === "string");
    const resolve = `import { existsSync } from "node:fs"; import { fileURLToPath } from "node:url";
      for (const name of ${JSON.stringify(files.map(({ name }) => name))})
        if (!existsSync(fileURLToPath(import.meta.resolve(name)))) throw new Error(name);`;
    await run(process.execPath, ["--input-type=module", "-e", resolve], app);
    const modules = entries.filter(
      ({ target, name }) => typeof target !== "string" && name !== "debug-bridge" && !NEED_AI_SDK.has(name),
    );
    const script = modules.map(({ name }) => `await import(${JSON.stringify(name)});`).join("\n");
    await run(process.execPath, ["--input-type=module", "-e", script], app);
    const { stdout } = await run(
      process.execPath,
      [join(app, "node_modules/debug-bridge/bin/debug-bridge.js"), "--version"],
      app,
    );
    expect(stdout.trim()).toBe(all.find(({ folder }) => folder === "cli")?.manifest.version);
    const command = `debug-bridge${isWindows ? ".cmd" : ""}`;
    expect(existsSync(join(app, "node_modules/.bin", command))).toBe(true);
  });

  it("are at most 77 packages and 77 MB", () => {
    const { packages: paths, bytes } = published.installed;
    expect(paths.length, paths.join("\n")).toBeLessThanOrEqual(77);
    expect(bytes).toBeLessThanOrEqual(77e6);
  });

  it("do not bring the AI SDK, and a run with a model explains what to install", async () => {
    const { app, installed } = published;
    expect(installed.packages.filter((path) => /node_modules\/(ai|@ai-sdk\/.+)$/.test(path))).toEqual([]);
    const cli = join(app, "node_modules/debug-bridge/bin/debug-bridge.js");
    const call = runArguments(["--model", "anthropic/claude-sonnet-4-5", "say hello"]);
    const { code, stderr } = await start(
      process.execPath,
      [cli, ...call],
      { ANTHROPIC_API_KEY: "none", DEBUG_BRIDGE_HOME: temporaryFolder() },
      app,
    ).finished;
    expect(stderr).toContain("npm install ai @ai-sdk/anthropic");
    expect(code).toBe(1);
  });

  it("leave zod out when only the SDK is installed", async () => {
    const closure = new Set<string>();
    const visit = (name: string): void => {
      if (closure.has(name)) return;
      closure.add(name);
      const { dependencies = {} } = JSON.parse(published.read(name, "package.json")) as Manifest;
      Object.keys(dependencies).forEach(visit);
    };
    visit("@debug-bridge/browser");
    expect([...closure].filter((name) => name.startsWith("@debug-bridge/")).sort()).toEqual([
      "@debug-bridge/browser",
      "@debug-bridge/client",
      "@debug-bridge/page",
      "@debug-bridge/protocol",
    ]);
    expect([...closure]).not.toContain("zod");
  });
});

/** These entries are for programs that use the AI SDK, which they install themselves. */
const NEED_AI_SDK = new Set(["@debug-bridge/agent/ai-sdk", "@debug-bridge/agent/run"]);

/** Older command lines have `run`, newer ones `agent run`. */
function runArguments(rest: string[]): string[] {
  const hasAgent = existsSync(join(ROOT, "packages/cli/src/commands/agent"));
  return [...(hasAgent ? ["agent"] : []), "run", ...rest];
}

/** The packages that the entries of a package import, directly or through its own files. */
function reachableImports(manifest: Manifest): { path: string; name: string }[] {
  const dir = join(published.app, "node_modules", manifest.name);
  const found: { path: string; name: string }[] = [];
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !/\.(js|d\.ts)$/.test(file) || !existsSync(file)) return;
    seen.add(file);
    const types = file.endsWith(".d.ts");
    const path = relative(dir, file);
    if (path.split(sep).includes("vendor") || /\.(bundle|iife)\.js$/.test(path)) return;
    const text = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, statement, dynamic] of text.matchAll(
      /^(?:import|export)\s+(?:type\s+)?(?:[\w*{}\s,$]*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*"([^"]+)"/gm,
    )) {
      const specifier = (statement ?? dynamic) as string;
      if (specifier.startsWith("."))
        visit(join(dirname(file), types ? specifier.replace(/\.js$/, ".d.ts") : specifier));
      else if (!specifier.startsWith("node:"))
        found.push({ path, name: specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/") });
    }
  };
  for (const target of Object.values(manifest.exports ?? {}))
    for (const path of typeof target === "string" ? [target] : Object.values(target as object))
      if (!/\/(sdk(?:-[a-z]+)?|dashboard)\.js$/.test(path)) visit(join(dir, path));
  return found;
}

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

  it("differs from the schemas, which do bundle zod", async () => {
    expect(await bundle("schemas.js")).toMatch(/ZodObject/);
  });
});
