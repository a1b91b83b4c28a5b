/**
 * Fails on an import that the architecture does not allow, and on a cycle. The table below is the one of the
 * architecture: for each package, all of ours that it may import. `node scripts/check-imports.mjs [ROOT]`
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { filesBelow, packages } from "./lib/packages.mjs";
import { root } from "./lib/run.mjs";

const PROTOCOL = [
  "@debug-bridge/protocol",
  "@debug-bridge/protocol/schemas",
  "@debug-bridge/protocol/timeline",
];
const CLIENT = ["@debug-bridge/client", "@debug-bridge/client/files"];
const MAY_IMPORT = {
  protocol: [],
  page: ["@debug-bridge/protocol"],
  // The client is for the plugin, which runs in the development server.
  browser: ["@debug-bridge/client", "@debug-bridge/page", "@debug-bridge/protocol"],
  driver: ["@debug-bridge/page", ...PROTOCOL],
  ui: ["@debug-bridge/protocol"],
  extension: ["@debug-bridge/page", "@debug-bridge/ui", ...PROTOCOL],
  journal: PROTOCOL,
  client: PROTOCOL,
  server: [...CLIENT, "@debug-bridge/driver", "@debug-bridge/journal", ...PROTOCOL],
  runner: [...CLIENT, "@debug-bridge/driver", ...PROTOCOL],
  agent: [...CLIENT, "@debug-bridge/journal", ...PROTOCOL],
  mcp: [...CLIENT, ...PROTOCOL],
  dashboard: ["@debug-bridge/ui", ...PROTOCOL],
  cli: "all",
};

const IMPORT =
  /(?:^|[\s;])(import|export)\s+(type\s+)?(?:[\w*{}\s,$]*?\sfrom\s+)?["']([^"']+)["']|import\(\s*["']([^"']+)["']/gm;

const base = resolve(process.argv[2] ?? root);
const isSource = (path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path);
const problems = [];
/** @type {Map<string, string[]>} */
const valueImports = new Map();

for (const { folder, dir } of packages(base)) {
  const allowed = MAY_IMPORT[folder];
  if (!allowed) {
    problems.push(
      `packages/${folder} is not in the table of packages (scripts/check-imports.mjs); add it with what it may import`,
    );
    continue;
  }
  for (const file of filesBelow(join(dir, "src"), isSource)) {
    const found = importsOf(file);
    valueImports.set(file, []);
    for (const { specifier, typeOnly } of found) {
      const where = `${relative(base, file)} imports "${specifier}"`;
      if (specifier.startsWith(".")) {
        const target = resolve(dirname(file), specifier);
        if (!target.startsWith(`${dir}/`))
          problems.push(`${where}, which lies outside its package; import the package instead`);
        else if (!typeOnly) valueImports.get(file)?.push(sourceOf(target));
      } else if (/^(@debug-bridge\/|debug-bridge(\/|$))/.test(specifier) && !mayImport(allowed, specifier)) {
        problems.push(
          `${where}; packages/${folder} may import only: ${allowed.join(", ") || "nothing of ours"}`,
        );
      }
    }
  }
}
problems.push(...cycles());

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}

/** A package is allowed with all of its entries; of the protocol, only the entries that are named. */
function mayImport(allowed, specifier) {
  if (allowed === "all" || allowed.includes(specifier)) return true;
  return ["@debug-bridge/page", "@debug-bridge/ui"].some(
    (name) => specifier.startsWith(`${name}/`) && allowed.includes(name),
  );
}

function importsOf(file) {
  const text = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return [...text.matchAll(IMPORT)].map((match) => ({
    specifier: /** @type {string} */ (match[3] ?? match[4]),
    typeOnly: match[2] !== undefined,
  }));
}

/** `./peer.js` is written in `./peer.ts`. */
function sourceOf(path) {
  const stem = path.replace(/\.js$/, "");
  return [`${stem}.ts`, `${stem}.tsx`, path].find((candidate) => existsSync(candidate)) ?? path;
}

function cycles() {
  const found = [];
  const done = new Set();
  const visit = (file, trail) => {
    const start = trail.indexOf(file);
    if (start !== -1) {
      const loop = [...trail.slice(start), file].map((path) => relative(base, path));
      found.push(`import cycle: ${loop.join(" -> ")}`);
      return;
    }
    if (done.has(file)) return;
    for (const next of valueImports.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of valueImports.keys()) visit(file, []);
  return found;
}
