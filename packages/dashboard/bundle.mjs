import { build } from "vite";

await build({
  configFile: false,
  logLevel: "warn",
  base: "/",
  build: {
    outDir: "dist",
    target: "es2022",
    assetsDir: "",
    rollupOptions: { output: { entryFileNames: "dashboard.js", assetFileNames: "dashboard[extname]" } },
  },
});
