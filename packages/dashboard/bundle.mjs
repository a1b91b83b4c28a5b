import { build } from "vite";

const shared = {
  configFile: false,
  logLevel: "warn",
  base: "/",
};
// "use client" of a library: there is no server here.
const checks = { moduleLevelDirective: false };

await build({
  ...shared,
  build: {
    outDir: "dist",
    target: "es2022",
    assetsDir: "",
    modulePreload: false,
    rollupOptions: {
      checks,
      output: {
        entryFileNames: "dashboard.js",
        // The player of replays, which is loaded when there is one.
        chunkFileNames: "dashboard-[name].js",
        assetFileNames: "dashboard[extname]",
      },
    },
  },
});

// The parts of a file that is shared: scripts without imports, because a page from disk cannot load any.
for (const [entry, name] of [
  ["src/shared-main.tsx", "shared-file"],
  ["src/shared-replay.ts", "shared-replay"],
  // Put into a page by the hub, which draws apps.
  ["src/draw-page.ts", "draw-page"],
])
  await build({
    ...shared,
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: "dist",
      emptyOutDir: false,
      target: "es2022",
      lib: { entry, formats: ["iife"], name: "DebugBridge", fileName: () => `${name}.js` },
      rollupOptions: { checks },
    },
  });
