import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Builds what is injected: the engine for a world of its own, and the little that must run in the page's world. */
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
