import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { ignoredMap } from "./ignored-map.mjs";

/** What the bundler of the app replaces, under a name that this build leaves alone. */
const ENV = "__DEBUG_BRIDGE_IMPORT_META__";
const keepEnv = {
  name: "keep-env",
  enforce: "pre",
  transform: (code) =>
    code.includes("import.meta.env") ? code.replaceAll("import.meta.env", `${ENV}.env`) : undefined,
  renderChunk: (code) => (code.includes(ENV) ? code.replaceAll(ENV, "import.meta") : undefined),
};

/**
 * Builds the SDK for the plugins: a few modules in `dist/page` that import no package. The development server of Vite sends them to
 * pages as they are, and other bundlers have ten files to read instead of hundreds. `sdk.js` is there from the first line of a page;
 * `sdk-dom.js` is loaded once there is a connection to make, and the others when they are first needed.
 */
export async function bundlePage(here, plugins) {
  const out = `${here}dist/page`;
  rmSync(out, { recursive: true, force: true });
  const parts = {
    sdk: [`${here}dist/dev/start-bridge.js`],
    "sdk-dom": [
      `${here}dist/loading/second-half-module.js`,
      new URL(import.meta.resolve("@debug-bridge/page/edit")).pathname,
    ],
  };
  await build({
    configFile: false,
    root: here,
    logLevel: "warn",
    plugins: [...plugins, keepEnv],
    build: {
      outDir: "dist/page",
      target: "es2022",
      minify: "oxc",
      lib: {
        entry: ["dist/next-client.js", "dist/angular-client.js"],
        formats: ["es"],
        fileName: (_format, name) => `${name}.js`,
      },
      rolldownOptions: {
        treeshake: { propertyReadSideEffects: false },
        output: {
          chunkFileNames: "[name].js",
          minify: { compress: true, mangle: true, codegen: true },
          // Plugins import `startBridge` by its name.
          minifyInternalExports: false,
          codeSplitting: { groups: [{ name: partOf(parts), debugName: "parts" }] },
        },
      },
    },
  });
  if (!/ as startBridge[,}]/.test(readFileSync(`${out}/sdk.js`, "utf8")))
    throw new Error("dist/page/sdk.js does not export startBridge");
  for (const name of readdirSync(out)) {
    // Not every bundler takes a template for the name of a module.
    const text = readFileSync(`${out}/${name}`, "utf8").replace(
      /\bimport\(`(\.\/[\w.-]+)`\)/g,
      'import("$1")',
    );
    // DevTools shows the app's own line for console calls, and skips ours.
    writeFileSync(`${out}/${name}`, `${text.trimEnd()}\n//# sourceMappingURL=${name}.map\n`);
    writeFileSync(`${out}/${name}.map`, JSON.stringify(ignoredMap(name, text)));
  }
}

/** Names the part that a module belongs to: the first one that imports it, if only indirectly. */
function partOf(parts) {
  const members = new Map();
  const collect = (id, part, context) => {
    if (members.has(id)) return;
    members.set(id, part);
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) collect(imported, part, context);
  };
  return (id, context) => {
    if (members.size === 0)
      for (const [part, roots] of Object.entries(parts))
        for (const root of roots) collect(root, part, context);
    return members.get(id);
  };
}
