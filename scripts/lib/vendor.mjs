import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { build } from "vite";

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * Bundles third-party packages into `dist/vendor` of a package and points the imports of its `dist` there. Whoever
 * installs the package then gets one copy of what it uses and not the whole tree behind it. The imports in `src` stay
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
    plugins: [entryModules(entries), replaced(replace), collect(bundled)],
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
      const names = Object.keys(module).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default");
      return [
        `import * as all from ${JSON.stringify(name)};`,
        ...names.filter((key) => key !== "module.exports").map((key) => `export const ${key} = all.${key};`),
        "default" in module ? "export default all.default;" : "",
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

/** Remembers the packages whose code ended up in the bundle. */
function collect(bundled) {
  return {
    name: "vendor-licenses",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const [id, { renderedLength }] of Object.entries(chunk.modules ?? {})) {
          const folder = renderedLength > 0 ? packageFolder(id) : undefined;
          if (folder) bundled.add(folder);
        }
      }
    },
  };
}

function packageFolder(id) {
  const path = id.replace(/^\0/, "").replace(/\?.*$/, "");
  if (!path.includes("node_modules")) return undefined;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name) return folder;
  }
  return undefined;
}

function licenses(folders) {
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const files = readdirSync(folder)
      .filter((file) => LICENSE_FILE.test(file))
      .sort();
    const text = files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
    return `${name} ${version} (${license ?? "see its repository"})\n\n${text}`.trim();
  });
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  return `The files in this folder contain code of these packages:\n\n${texts.sort().join(rule)}\n`;
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
