import type { PluginOptions } from "../plugin/options.js";
import { unplugin } from "../plugin/unplugin.js";

/** A plugin of Rollup, without a dependency on Rollup. */
interface RollupPlugin {
  readonly name: string;
}

/**
 * Puts the bridge into the entries of Rollup while it watches (`rollup --watch`), with no change to the app. Other builds are left alone.
 *
 * @example
 * // rollup.config.mjs
 * import { debugBridge } from "@debug-bridge/browser/rollup";
 * export default { input: "src/main.js", plugins: [debugBridge({ sessionId: "shop" })] };
 */
export function debugBridge(options: PluginOptions = {}): RollupPlugin {
  return unplugin.rollup(options) as RollupPlugin;
}
