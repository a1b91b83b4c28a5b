import { fileURLToPath } from "node:url";
import { build } from "vite";
import { vendor } from "../../scripts/lib/vendor.mjs";

const dir = fileURLToPath(new URL(".", import.meta.url));

/** The hook is one file: an agent waits for it at every tool call, and resolving fifty modules takes as long as running them. */
await build({
  configFile: false,
  root: dir,
  logLevel: "warn",
  ssr: { noExternal: true },
  build: {
    ssr: "dist/agent/hook/hook-entry.js",
    outDir: "dist",
    emptyOutDir: false,
    target: "node20",
    minify: false,
    rollupOptions: { output: { entryFileNames: "hook.bundle.js", chunkFileNames: "hook.[name].bundle.js" } },
  },
});

/** The attached screen: ink brings 40 packages and 24 MB, of which the screen needs 1 MB. */
await vendor({
  dir,
  entries: { ink: "ink", react: "react", "react/jsx-runtime": "react-jsx-runtime" },
  external: ["bufferutil", "utf-8-validate"],
  replace: { "/ink/build/devtools.js": "export {};" },
});
