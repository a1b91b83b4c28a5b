import { type Compiler, isDevelopment } from "../plugin/builds/compiler.js";
import type { PluginOptions } from "../plugin/options.js";
import { unplugin } from "../plugin/unplugin.js";

/** A plugin of Rspack, without a dependency on Rspack. */
interface RspackPlugin {
  // biome-ignore lint/suspicious/noExplicitAny: each version of Rspack has its own type of compiler
  apply(compiler: any): void;
}

/**
 * Puts the bridge into every page of Rspack in `mode: "development"`, with no change to the app. Other builds are left alone.
 *
 * @example
 * // rspack.config.mjs
 * import { debugBridge } from "@debug-bridge/browser/rspack";
 * export default { mode: "development", plugins: [debugBridge({ sessionId: "shop" })] };
 */
export function debugBridge(options: PluginOptions = {}): RspackPlugin {
  return {
    apply(compiler: Compiler) {
      if (isDevelopment(compiler, options.development)) unplugin.rspack(options).apply(compiler as never);
    },
  };
}
