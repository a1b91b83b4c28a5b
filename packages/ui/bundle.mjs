import { build } from "vite";

/** Builds the page at `/chat`. Its highlighter is a file of its own, loaded when code is first shown. */
await build({
  configFile: false,
  logLevel: "warn",
  base: "/",
  build: {
    outDir: "dist/page",
    emptyOutDir: true,
    target: "es2022",
    assetsDir: "",
    modulePreload: false,
    rollupOptions: {
      // "use client" of a library: there is no server here.
      checks: { moduleLevelDirective: false },
      input: "chat.html",
      output: {
        entryFileNames: "chat.js",
        chunkFileNames: "chat-[name].js",
        assetFileNames: "chat[extname]",
      },
    },
  },
});
