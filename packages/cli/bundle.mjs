import { rmSync, writeFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { packages } from "../../scripts/lib/packages.mjs";
import { collectPackages, licenses } from "../../scripts/lib/third-party.mjs";
import { vendor } from "../../scripts/lib/vendor.mjs";

const dir = fileURLToPath(new URL(".", import.meta.url));
const dist = join(dir, "dist");
/** Packages that are only there if somebody installed them, and one that has to be loaded by its path. */
const EXTERNAL = [
  ...["bufferutil", "utf-8-validate", "playwright-core", "ai", "@agentclientprotocol/sdk"],
  ...["anthropic", "deepseek", "google", "openai", "openai-compatible"].map((name) => `@ai-sdk/${name}`),
];

/** The attached screen: ink brings 40 packages and 24 MB, of which the screen needs 1 MB. And what `init` edits files with. */
await vendor({
  dir,
  entries: {
    ...{ ink: "ink", react: "react", "react/jsx-runtime": "react-jsx-runtime" },
    ...{ "jsonc-parser": "jsonc-parser", "smol-toml": "smol-toml" },
  },
  external: ["bufferutil", "utf-8-validate"],
  replace: { "/ink/build/devtools.js": "export {};" },
});

/** The hook is one file: an agent waits for it at every tool call, and resolving fifty modules takes as long as running them. */
await bundle("agent/hook/hook-entry.js", {
  entryFileNames: "hook.bundle.js",
  chunkFileNames: "hook.[name].bundle.js",
});

/**
 * The command: its beginning, and the parts that are loaded when they are needed. Clients of MCP wait for it at every
 * start.
 */
const bundled = new Set();
rmSync(join(dist, "bundle"), { recursive: true, force: true });
await bundle("main.js", { entryFileNames: "bundle/main.js", chunkFileNames: "bundle/[name]-[hash].js" }, [
  besideTheBundle("./hook.bundle.js"),
  atTheirPlaces(),
  collectPackages(bundled),
]);
writeFileSync(join(dist, "bundle", "THIRD-PARTY-LICENSES.txt"), licenses(bundled));

async function bundle(entry, output, plugins = []) {
  await build({
    configFile: false,
    root: dir,
    logLevel: "warn",
    plugins,
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: `dist/${entry}`,
      outDir: "dist",
      emptyOutDir: false,
      target: "node20",
      minify: false,
      rollupOptions: { output },
    },
  });
}

/** A file of `dist` that is loaded as it is. */
function besideTheBundle(path) {
  return {
    name: "beside-the-bundle",
    enforce: "pre",
    resolveId: (id) => (id === path ? { id: `.${path}`, external: true } : undefined),
  };
}

/** Modules of ours that read files beside them find these where their own package is installed. */
function atTheirPlaces() {
  const owners = packages().map(({ dir: folder, manifest }) => ({ folder: `${folder}${sep}`, manifest }));
  return {
    name: "at-their-places",
    transform(code, id) {
      if (!code.includes("import.meta.url")) return undefined;
      const owner = owners.find(({ folder }) => id.startsWith(folder));
      if (!owner) return undefined;
      const path = relative(owner.folder, id).split(sep).join(posix.sep);
      const base =
        owner.manifest.name === "debug-bridge"
          ? 'new URL("../..", import.meta.url)'
          : `import.meta.resolve("${owner.manifest.name}/package.json")`;
      return replaced(code, placesOfUrl(this.parse(code)), `new URL("${path}", ${base}).href`);
    },
  };
}

/** Where a module reads `import.meta.url`, last first. Texts that contain it are left alone: they may be code that we write. */
function placesOfUrl(node) {
  if (node === null || typeof node !== "object") return [];
  if (node.type === "MemberExpression" && node.object.type === "MetaProperty" && node.property.name === "url")
    return [node];
  return Object.values(node)
    .flatMap(placesOfUrl)
    .sort((a, b) => b.start - a.start);
}

function replaced(code, places, text) {
  return places.reduce((all, { start, end }) => all.slice(0, start) + text + all.slice(end), code);
}
