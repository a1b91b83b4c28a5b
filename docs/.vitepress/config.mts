import { defineConfig } from "vitepress";
import { fileLinks } from "./file-links.mjs";
import { sidebar } from "./sidebar.mjs";

const REPOSITORY = "https://github.com/debug-bridge/debug-bridge";

/** The pages are the files of the repository at their own paths, so that links between them hold in both places. */
// biome-ignore lint/style/noDefaultExport: VitePress loads a configuration by it
export default defineConfig({
  title: "Debug Bridge",
  description: "Agents see and act in web apps; people see and steer agents",
  lang: "en",
  srcDir: "..",
  srcExclude: ["examples/**", "tests/**", "bench/*/**", ".changeset/**", ".github/**"],
  outDir: "../.cache/site",
  cacheDir: "../.cache/vitepress",
  rewrites: { "README.md": "index.md" },
  markdown: {
    // Braces after code are the fields of a command, not attributes of an element.
    attrs: { disable: true },
    config: (markdown) => markdown.use(fileLinks, REPOSITORY),
  },
  themeConfig: {
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    outline: [2, 3],
    sidebar: sidebar(),
  },
});
