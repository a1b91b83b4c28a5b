import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { filesBelow, packages } from "../../../scripts/lib/packages.mjs";
import { ROOT } from "../../fixtures.js";

const IMPORT = /(?:import|export)\s([^"';]*?)from\s+"([^"]+)"|import\("([^"]+)"\)/g;
const EXPORT = /^export (?:abstract |async )*(?:class|function|const|interface|type|enum)\*? (\w+)/gm;
/** Files that only re-export others connect what has nothing to do with each other. */
const REEXPORTS = /\/src\/(index|schemas|timeline)\.ts$/;

const isSource = (path: string): boolean => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path);
const all = (packages() as { manifest: { name: string }; dir: string }[]).map(({ manifest, dir }) => ({
  name: manifest.name,
  files: filesBelow(join(dir, "src"), isSource) as string[],
}));

/** The file of each name that a package exports. */
const exported = new Map(
  all.map(({ name, files }) => {
    const names = new Map<string, string>();
    for (const file of files)
      for (const [, found = ""] of readFileSync(file, "utf8").matchAll(EXPORT)) names.set(found, file);
    return [name, names] as const;
  }),
);

/** The files that a file imports, also those of other packages; by path from the root. */
const imports = new Map(
  all.flatMap(({ files }) =>
    files
      .filter((file) => !REEXPORTS.test(file))
      .map((file) => [relative(ROOT, file), importsOf(file)] as const),
  ),
);

function importsOf(file: string): ReadonlySet<string> {
  const found = [...readFileSync(file, "utf8").matchAll(IMPORT)].flatMap(([, names = "", from, loaded]) => {
    const specifier = from ?? loaded ?? "";
    if (specifier.startsWith(".")) return [sourceOf(resolve(dirname(file), specifier))];
    const ofPackage = exported.get(specifier.split("/").slice(0, 2).join("/"));
    return [...names.matchAll(/\w+/g)].flatMap(([name]) => ofPackage?.get(name) ?? []);
  });
  return new Set(found.map((path) => relative(ROOT, path)));
}

function sourceOf(path: string): string {
  const tsx = path.replace(/\.js$/, ".tsx");
  return existsSync(tsx) ? tsx : path.replace(/\.js$/, ".ts");
}

/** Whether one of two files imports the other, or a third one imports both. */
export function areConnected(one: string, other: string): boolean {
  if (imports.get(one)?.has(other) || imports.get(other)?.has(one)) return true;
  return [...imports.values()].some((each) => each.has(one) && each.has(other));
}
