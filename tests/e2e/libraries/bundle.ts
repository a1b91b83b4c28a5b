import { readdirSync } from "node:fs";
import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build } from "vite";
import { ROOT } from "../../fixtures.js";

const FOLDER = join(ROOT, "tests/libraries");

/** The libraries that have a page, in alphabetical order. */
export const LIBRARIES: readonly string[] = readdirSync(join(FOLDER, "pages"))
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.slice(0, -3));

/** Bundles all pages at once. Returns the files by name; each library has one script, and one style sheet if it needs any. */
export async function bundlePages(): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const built = await build({
    configFile: false,
    root: FOLDER,
    logLevel: "error",
    plugins: [svelte({ configFile: false })],
    define: {
      "process.env.NODE_ENV": '"production"',
      __VUE_OPTIONS_API__: "true",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
    build: {
      write: false,
      minify: false,
      target: "esnext",
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: {
        input: Object.fromEntries(LIBRARIES.map((name) => [name, join(FOLDER, "pages", `${name}.js`)])),
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "chunk-[name]-[hash].js",
          assetFileNames: "[name][extname]",
        },
      },
    },
  });
  const files = new Map<string, string | Uint8Array>();
  for (const each of [built].flat())
    if ("output" in each)
      for (const file of each.output)
        files.set(file.fileName, file.type === "chunk" ? file.code : file.source);
  return files;
}
