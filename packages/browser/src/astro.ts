import type { PluginOptions } from "./plugin/options.js";
import { debugBridge as vitePlugin } from "./vite.js";

/** The part of an integration of Astro that is used here. */
interface AstroIntegration {
  readonly name: string;
  readonly hooks: {
    readonly "astro:config:setup": (about: {
      readonly command: string;
      updateConfig(config: object): unknown;
    }) => void;
  };
}

/**
 * An integration of Astro that puts the bridge into every page in development, with no change to the app.
 *
 * @example
 * // astro.config.mjs
 * import { debugBridge } from "@debug-bridge/browser/astro";
 * export default { integrations: [debugBridge({ sessionId: "shop" })] };
 */
export function debugBridge(options: PluginOptions = {}): AstroIntegration {
  return {
    name: "debug-bridge",
    hooks: {
      "astro:config:setup"({ command, updateConfig }) {
        if (command === "dev") updateConfig({ vite: { plugins: [vitePlugin(options)] } });
      },
    },
  };
}
