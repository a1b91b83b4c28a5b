import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** A plugin that remembers the folders of the packages whose code ended up in a bundle. */
export function collectPackages(bundled) {
  return {
    name: "collect-packages",
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

/** The licences of these packages, as one text. */
export function licenses(folders) {
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

function packageFolder(id) {
  const path = id.replace(/^\0/, "").replace(/\?.*$/, "");
  if (!path.includes("node_modules")) return undefined;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name) return folder;
  }
  return undefined;
}
