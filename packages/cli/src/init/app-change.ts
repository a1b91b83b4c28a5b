import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { type FileChange, readText } from "./file-change.js";
import { hasScriptTag, withoutScriptTag, withScriptTag } from "./script-tag.js";
import { NEW_CONFIG, withoutVitePlugin, withVitePlugin } from "./vite-config.js";

/** How the SDK gets into the app of a folder, or what to do by hand. */
export type AppPlan =
  | { readonly how: "plugin" | "script"; readonly change: FileChange }
  | { readonly how: "by hand"; readonly advice: string };

const CONFIGS = ["ts", "mts", "js", "mjs"].map((end) => `vite.config.${end}`);
/** The page of an app; in SvelteKit and Angular it is in `src`. */
const PAGES = ["index.html", "src/app.html", "src/index.html", "public/index.html"];

/** The plugin where it is installed, else the script tag. */
export function planApp(folder: string, hub: string): AppPlan {
  const config = firstOf(folder, CONFIGS);
  const page = firstOf(folder, PAGES);
  if (config && hasPlugin(folder)) {
    const before = readText(config);
    if (before.includes("@debug-bridge/browser"))
      return { how: "plugin", change: { file: config, before, after: before } };
    const after = withVitePlugin(before);
    if (after !== undefined) return { how: "plugin", change: { file: config, before, after } };
    const advice = `add the plugin to ${config}: import { debugBridge } from "@debug-bridge/browser/vite", and debugBridge() in plugins`;
    return { how: "by hand", advice };
  }
  if (!config && hasPlugin(folder) && isServedByVite(folder)) {
    const file = join(
      folder,
      existsSync(join(folder, "tsconfig.json")) ? "vite.config.ts" : "vite.config.mjs",
    );
    return { how: "plugin", change: { file, before: "", after: NEW_CONFIG } };
  }
  const session = basename(folder).replace(/[^\w.-]/g, "-") || "my-app";
  if (page) {
    const before = readText(page);
    const after = hasScriptTag(before) ? before : withScriptTag(before, hub, session);
    if (after !== undefined) return { how: "script", change: { file: page, before, after } };
  }
  const tag = `<script src="${hub}/sdk.js" data-session="${session}"></script>`;
  return { how: "by hand", advice: `in the app's folder, put this first into the head of its page: ${tag}` };
}

/** What `planApp` added, taken out again. */
export function planAppRemoval(folder: string): AppPlan | undefined {
  const config = firstOf(folder, CONFIGS);
  const before = config ? readText(config) : "";
  if (config && before.includes("@debug-bridge/browser")) {
    const after = withoutVitePlugin(before);
    if (after !== undefined) return { how: "plugin", change: { file: config, before, after } };
    return { how: "by hand", advice: `remove the plugin from ${config}` };
  }
  const page = firstOf(folder, PAGES);
  const html = page ? readText(page) : "";
  const after = withoutScriptTag(html);
  return page && after !== html ? { how: "script", change: { file: page, before: html, after } } : undefined;
}

/** Whether Vite, as it is installed in the folder, finds the plugin in its configuration. */
export function viteHasPlugin(folder: string): Promise<boolean> {
  const code = `const { resolveConfig } = await import(process.argv[1]);
    const { plugins } = await resolveConfig({ logLevel: "silent" }, "serve");
    process.exit(plugins.some(({ name }) => name === "debug-bridge") ? 0 : 1);`;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", code, "vite"], {
      cwd: folder,
      stdio: "ignore",
    });
    child.once("error", () => resolve(false));
    child.once("close", (status) => resolve(status === 0));
  });
}

/** Whether a folder is an app of Vite itself: frameworks that use it have other pages, or none. */
function isServedByVite(folder: string): boolean {
  const manifest = readText(join(folder, "package.json"));
  return existsSync(join(folder, "index.html")) && /"vite"\s*:/.test(manifest);
}

function hasPlugin(folder: string): boolean {
  const require = createRequire(join(folder, "package.json"));
  const folders = require.resolve.paths("@debug-bridge/browser") ?? [];
  return folders.some((each) => existsSync(join(each, "@debug-bridge", "browser", "package.json")));
}

function firstOf(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((path) => existsSync(path));
}
