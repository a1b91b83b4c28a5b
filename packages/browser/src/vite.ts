import { createPlugin } from "./plugin/create-plugin.js";
import type { PluginOptions } from "./plugin/options.js";
import type { ViteHooks } from "./plugin/vite-api.js";

/** A plugin of Vite, without a dependency on Vite. */
type VitePlugin = ViteHooks & { readonly name: string };

/**
 * Puts the bridge into every page that the development server serves, with no change to the app: pages of `index.html`, and
 * those that a framework renders (SvelteKit, Nuxt, Astro). Builds are left alone.
 *
 * @example
 * // vite.config.ts
 * import { debugBridge } from "@debug-bridge/browser/vite";
 * export default { plugins: [debugBridge({ sessionId: "shop", enableEval: true })] };
 */
export function debugBridge(options: PluginOptions = {}): VitePlugin {
  // Vite takes the hooks as they are. Loading what translates them for other bundlers would cost every start of the server.
  const { name, resolveId, load, vite } = createPlugin(options, "vite");
  return { name, resolveId, load, ...vite } as unknown as VitePlugin;
}
