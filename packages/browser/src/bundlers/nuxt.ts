import type { PluginOptions } from "../plugin/options.js";
import { debugBridge as vitePlugin } from "./vite.js";

/** The part of Nuxt that is used here. */
interface Nuxt {
  readonly options: {
    readonly dev?: boolean;
    readonly rootDir?: string;
    readonly vite: { plugins?: unknown[] };
  };
}

/**
 * A module of Nuxt that puts the bridge into every page in development, with no change to the app.
 *
 * @example
 * // nuxt.config.ts
 * import { debugBridge } from "@debug-bridge/browser/nuxt";
 * export default defineNuxtConfig({ modules: [[debugBridge, { sessionId: "shop" }]] });
 */
export function debugBridge(options: PluginOptions, { options: nuxt }: Nuxt): void {
  if (!nuxt.dev) return;
  // Nuxt has Vite work in a folder that it chooses, below that of the project.
  const { rootDir } = nuxt;
  nuxt.vite.plugins = [
    ...(nuxt.vite.plugins ?? []),
    vitePlugin(rootDir ? { root: rootDir, ...options } : options),
  ];
}
