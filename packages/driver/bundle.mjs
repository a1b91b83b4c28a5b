import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Builds the injected scripts: the engine for its own world, and the small part that runs in the page's world. */
const here = fileURLToPath(new URL(".", import.meta.url));

for (const name of ["engine", "main-world"]) {
  await build({
    configFile: false,
    root: here,
    logLevel: "warn",
    build: {
      outDir: "dist",
      emptyOutDir: false,
      target: "es2022",
      minify: "oxc",
      lib: {
        entry: `dist/in-page/${name}.js`,
        formats: ["iife"],
        name: "DebugBridgeInPage",
        fileName: () => `${name}.iife.js`,
      },
    },
  });
}
