import { type Compiler, isDevelopment } from "../plugin/builds/compiler.js";
import type { PluginOptions } from "../plugin/options.js";
import { unplugin } from "../plugin/unplugin.js";

/** A plugin of webpack, without a dependency on webpack. */
interface WebpackPlugin {
  // biome-ignore lint/suspicious/noExplicitAny: each version of webpack has its own type of compiler
  apply(compiler: any): void;
}

/**
 * Puts the bridge into every page of webpack in `mode: "development"`, with no change to the app. Other builds are left alone.
 *
 * @example
 * // webpack.config.mjs
 * import { debugBridge } from "@debug-bridge/browser/webpack";
 * export default { mode: "development", plugins: [debugBridge({ sessionId: "shop" })] };
 */
export function debugBridge(options: PluginOptions = {}): WebpackPlugin {
  return {
    apply(compiler: Compiler) {
      if (isDevelopment(compiler, options.development)) unplugin.webpack(options).apply(compiler as never);
    },
  };
}
