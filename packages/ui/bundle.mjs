import { cpSync } from "node:fs";
import { build } from "vite";

const shared = {
  configFile: false,
  logLevel: "warn",
  base: "/",
  define: { "process.env.NODE_ENV": '"production"' },
};
const options = { emptyOutDir: true, target: "es2022", modulePreload: false };
// "use client" of a library: there is no server here.
const checks = { moduleLevelDirective: false };

// The page at `/chat`. Its highlighter is a separate file, loaded when code is first shown.
await build({
  ...shared,
  build: {
    ...options,
    outDir: "dist/page",
    assetsDir: "",
    rollupOptions: {
      checks,
      input: "chat.html",
      output: {
        entryFileNames: "chat.js",
        chunkFileNames: "chat-[name].js",
        assetFileNames: "chat[extname]",
      },
    },
  },
});
// The chat for pages of others, with everything that it needs, so that installing it brings no further package.
await build({
  ...shared,
  build: {
    ...options,
    outDir: "dist/lib",
    lib: { entry: "src/chat/mount.tsx", formats: ["es"], fileName: () => "chat.js" },
    rollupOptions: { checks, output: { chunkFileNames: "chat-[name].js" } },
  },
});
// What other pages of ours take from here as it is.
for (const name of ["foundations.css", "components.css"]) cpSync(`src/styles/${name}`, `dist/styles/${name}`);
