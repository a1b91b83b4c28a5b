import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { debugBridge as esbuildPlugin } from "@debug-bridge/browser/esbuild";
import { debugBridge as rollupPlugin } from "@debug-bridge/browser/rollup";
import { debugBridge as rspackPlugin } from "@debug-bridge/browser/rspack";
import { debugBridge as vitePlugin } from "@debug-bridge/browser/vite";
import { debugBridge as webpackPlugin } from "@debug-bridge/browser/webpack";
import { rspack } from "@rspack/core";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import { build } from "vite";
import { describe, expect, it } from "vitest";
import webpack from "webpack";
import { projectFolder } from "../../support/hub/project.js";

const FILES = {
  "index.html": `<!doctype html><title>Shop</title><script type="module" src="/main.js"></script>`,
  "main.js": `import { total } from "./total.js";\nimport("./later.js").then(({ say }) => say(total([1, 2])));\n`,
  "total.js": `export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n`,
  "later.js": `export const say = (text) => document.body.append(text);\n`,
};

type Mode = "production" | "development";
type Bundle = (root: string, hasPlugin: boolean, mode: Mode) => Promise<void>;

/** Runs a compiler of webpack or Rspack once. A warning would be shown over the app. */
const compile = (
  compiler: {
    run(
      done: (
        error: Error | null,
        stats?: { hasErrors(): boolean; hasWarnings(): boolean; toString(): string },
      ) => void,
    ): void;
    close(done: () => void): void;
  } | null,
): Promise<void> =>
  new Promise((resolve, reject) => {
    compiler?.run((error, stats) =>
      compiler.close(() =>
        error || stats?.hasErrors() || stats?.hasWarnings()
          ? reject(error ?? new Error(stats?.toString()))
          : resolve(),
      ),
    );
  });

const webpackConfig = (root: string, mode: Mode, plugins: never[]) => ({
  ...{ context: root, mode, plugins, devtool: "source-map" as const },
  entry: "./main.js",
  output: { path: join(root, "out") },
});

const BUNDLERS: Readonly<Record<string, Bundle>> = {
  async vite(root, hasPlugin, mode) {
    await build({
      ...{ root, mode, configFile: false, logLevel: "error", plugins: hasPlugin ? [vitePlugin()] : [] },
      build: { outDir: "out", sourcemap: true },
    });
  },
  webpack: (root, hasPlugin, mode) =>
    compile(webpack(webpackConfig(root, mode, (hasPlugin ? [webpackPlugin()] : []) as never[]))),
  rspack: (root, hasPlugin, mode) =>
    compile(rspack(webpackConfig(root, mode, (hasPlugin ? [rspackPlugin()] : []) as never[]))),
  async rollup(root, hasPlugin) {
    const bundle = await rollup({
      input: join(root, "main.js"),
      plugins: hasPlugin ? [rollupPlugin()] : [],
    });
    await bundle.write({ dir: join(root, "out"), sourcemap: true });
    await bundle.close();
  },
  async esbuild(root, hasPlugin, mode) {
    await esbuild.build({
      ...{ absWorkingDir: root, entryPoints: ["main.js"], outdir: "out", bundle: true, sourcemap: true },
      ...{ format: "esm", splitting: true, logLevel: "error" },
      plugins: hasPlugin ? [esbuildPlugin()] : [],
      ...(mode === "development" ? { define: { "process.env.NODE_ENV": '"development"' } } : {}),
    });
  },
};

/** Every file that a bundler writes, by its path. */
async function outputOf(bundle: Bundle, hasPlugin: boolean, mode: Mode): Promise<Record<string, string>> {
  const root = projectFolder(FILES);
  await bundle(root, hasPlugin, mode);
  const paths = readdirSync(join(root, "out"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const read = (path: string): string => readFileSync(path, "utf8").replaceAll(root, "ROOT");
  return Object.fromEntries(paths.sort().map((path) => [path.slice(root.length), read(path)]));
}

describe.each(Object.entries(BUNDLERS))("the plugin for %s", (name, bundle) => {
  it(`leaves every byte of a production build as it is (${name})`, async () => {
    const without = await outputOf(bundle, false, "production");
    expect(Object.keys(without).length).toBeGreaterThan(0);
    expect(await outputOf(bundle, true, "production")).toEqual(without);
  });
});

describe.each(["webpack", "rspack", "esbuild"])("the plugin for %s", (name) => {
  it(`puts the bridge into the app in development (${name})`, async () => {
    const files = await outputOf(BUNDLERS[name] as Bundle, true, "development");
    const scripts = Object.entries(files).flatMap(([path, text]) => (path.endsWith(".js") ? [text] : []));
    // The name of the protocol is in the SDK, and the options are in the module that starts it.
    expect(scripts.some((text) => text.includes("debug-bridge.v1"))).toBe(true);
    expect(scripts.some((text) => /"sessionId\\?":/.test(text))).toBe(true);
  });
});
