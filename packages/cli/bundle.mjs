import { fileURLToPath } from "node:url";
import { build } from "vite";

/** The hook as one file: an agent waits for it at every tool, and finding fifty modules takes as long as running them. */
await build({
  configFile: false,
  root: fileURLToPath(new URL(".", import.meta.url)),
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
