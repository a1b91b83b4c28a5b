import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { build } from "vite";
import { collectPackages, licenses } from "./third-party.mjs";

/**
 * Bundles third-party packages into `dist/vendor` of a package and points the imports of its `dist` there. An
 * installation then has one copy of what the package uses and not the whole tree behind it. The imports in `src` stay
 * ordinary ones. Run it after every TypeScript build: it changes only files that still import the packages by name.
 *
 * @param {object} options
 * @param {string} options.dir folder of the package
 * @param {Record<string, string>} options.entries import specifier to name of the bundled file, without extension
 * @param {readonly string[]} [options.external] optional packages that are never reached
 * @param {Record<string, string>} [options.replace] end of a module's path to the code that replaces it
 */
export async function vendor({ dir, entries, external = [], replace = {} }) {
  const out = join(dir, "dist", "vendor");
  rmSync(out, { recursive: true, force: true });
  const bundled = new Set();
  await build({
    configFile: false,
    root: dir,
    logLevel: "warn",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [entryModules(entries), replaced(replace), collectPackages(bundled)],
    ssr: { noExternal: true, external: [...external] },
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: true,
      copyPublicDir: false,
      target: "node20",
      minify: "oxc",
      rollupOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [file, `${ENTRY}${name}`])),
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
  writeFileSync(join(out, "THIRD-PARTY-LICENSES.txt"), licenses(bundled));
  for (const file of compiledFiles(join(dir, "dist"))) pointToVendor(file, out, entries);
}

const ENTRY = "vendor-entry:";

/** One module per entry that exports everything the package exports, including the members of a CommonJS one. */
function entryModules(entries) {
  return {
    name: "vendor-entries",
    resolveId: (id) => (id.startsWith(ENTRY) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${ENTRY}`)) return undefined;
      const name = id.slice(ENTRY.length + 1);
      if (!(name in entries)) return undefined;
      const module = await import(name);
      // Compiled from ES modules, which the bundler takes instead: there is no default export in them.
      const isCompiled = "__esModule" in module;
      const names = Object.keys(module).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default");
      return [
        `import * as all from ${JSON.stringify(name)};`,
        ...names
          .filter((key) => key !== "module.exports" && key !== "__esModule")
          .map((key) => `export const ${key} = all.${key};`),
        "default" in module && !isCompiled ? "export default all.default;" : "",
      ].join("\n");
    },
  };
}

function replaced(replace) {
  return {
    name: "vendor-replace",
    load(id) {
      const path = id.split(sep).join("/");
      const end = Object.keys(replace).find((one) => path.endsWith(one));
      return end === undefined ? undefined : replace[end];
    },
  };
}

function compiledFiles(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".js"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !relative(folder, file).startsWith(`vendor${sep}`));
}

function pointToVendor(file, out, entries) {
  const text = readFileSync(file, "utf8");
  const pointed = text.replace(
    /(\bfrom\s+|\bimport\(\s*|\bimport\s+)(["'])([^"']+)\2/g,
    (whole, before, quote, name) => {
      if (!Object.hasOwn(entries, name)) return whole;
      const path = relative(dirname(file), join(out, `${entries[name]}.js`))
        .split(sep)
        .join("/");
      return `${before}${quote}${path.startsWith(".") ? path : `./${path}`}${quote}`;
    },
  );
  if (pointed !== text) writeFileSync(file, pointed);
}
