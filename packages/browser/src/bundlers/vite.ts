import { DevServer } from "../plugin/dev-server.js";
import type { PluginOptions } from "../plugin/options.js";
import { type VirtualModule, virtualModule } from "../plugin/page/virtual-module.js";
import type { ViteHooks } from "../plugin/vite/vite-api.js";
import { viteHooks } from "../plugin/vite/vite-server.js";

/** A plugin of Vite, without a dependency on Vite. */
type VitePlugin = ViteHooks & VirtualModule & { readonly name: string };

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
  // Vite takes the hooks as they are. Loading what the other bundlers need would cost every start of the server.
  const { hooks, builtCode } = viteHooks(new DevServer(options, "vite"));
  return { name: "debug-bridge", ...virtualModule(builtCode), ...hooks };
}
