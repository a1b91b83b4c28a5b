import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { icon } from "./icons.mjs";

/** Builds the folder that Chrome loads: `dist/unpacked`, from what TypeScript put into `dist` and from `static`. */
const here = fileURLToPath(new URL(".", import.meta.url));
const out = `${here}dist/unpacked`;

rmSync(out, { recursive: true, force: true });
for (const [entry, name, format] of [
  ["dist/main-world/main.js", "page", "iife"],
  ["dist/content/content.js", "content", "iife"],
  ["dist/worker/worker.js", "worker", "es"],
  ["dist/popup/popup.js", "popup", "es"],
  ["dist/keep-alive/page.js", "keep-alive", "es"],
  ["dist/picking/source-in-page.js", "source", "iife"],
]) {
  await build({
    configFile: false,
    root: here,
    logLevel: "warn",
    build: {
      outDir: out,
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      minify: "oxc",
      lib: {
        entry,
        formats: [format],
        name: name === "source" ? "DebugBridgeSource" : "none",
        fileName: () => `${name}.js`,
      },
    },
  });
}
// The side panel. What it loads later is a separate file.
await build({
  configFile: false,
  root: here,
  logLevel: "warn",
  build: {
    outDir: out,
    emptyOutDir: false,
    copyPublicDir: false,
    target: "es2022",
    minify: "oxc",
    modulePreload: false,
    rollupOptions: {
      input: { panel: "dist/panel/panel.js" },
      output: { entryFileNames: "[name].js", chunkFileNames: "panel-[name].js" },
    },
  },
});
cpSync(fileURLToPath(import.meta.resolve("@debug-bridge/ui/page/chat.css")), `${out}/panel.css`);
// Chrome reads scripts inside pages as Latin-1 if the page declares no charset. So they may contain only ASCII.
for (const name of ["page", "content"]) {
  const file = `${out}/${name}.js`;
  const text = readFileSync(file, "utf8");
  // A name here would be a global of the page.
  if (/^(?:var|let|const) /.test(text)) throw new Error(`${name}.js declares a global: ${text.slice(0, 60)}`);
  writeFileSync(
    file,
    text.replace(/[^\x00-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
// Chrome collects the whole stack of each console call from a script of an extension, for its error page: up to 200
// frames, which costs many times the call itself. With another source URL the script does not count as part of an
// extension, and stacks do not contain the id. With "/node_modules/" in the URL, DevTools skips the script, as it does for
// an extension, and shows the position in the page.
const page = `${out}/page.js`;
const name = "debug-bridge://extension/node_modules/console.js";
writeFileSync(page, `${readFileSync(page, "utf8").trimEnd()}\n//# sourceURL=${name}\n`);
cpSync(`${here}static`, out, { recursive: true });
for (const size of [16, 32, 48, 128]) writeFileSync(`${out}/icon-${size}.png`, icon(size));
const { version } = JSON.parse(readFileSync(`${here}package.json`, "utf8"));
const manifest = JSON.parse(readFileSync(`${out}/manifest.json`, "utf8"));
writeFileSync(`${out}/manifest.json`, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
