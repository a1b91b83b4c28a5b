import { type EsbuildBuild, isDevelopmentBuild } from "../plugin/builds/esbuild-builds.js";
import type { PluginOptions } from "../plugin/options.js";
import { unplugin } from "../plugin/unplugin.js";

/** A plugin of esbuild, without a dependency on esbuild. */
interface EsbuildPlugin {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: esbuild has its own type
  setup(build: any): void | Promise<void>;
}

/**
 * Puts the bridge into the entries of esbuild when `NODE_ENV` is `development`, in `define` or in the environment. Other builds are
 * left alone.
 *
 * @example
 * import { debugBridge } from "@debug-bridge/browser/esbuild";
 * const define = { "process.env.NODE_ENV": '"development"' };
 * await esbuild.build({ entryPoints: ["src/main.ts"], bundle: true, define, plugins: [debugBridge({ sessionId: "shop" })] });
 */
export function debugBridge(options: PluginOptions = {}): EsbuildPlugin {
  return {
    name: "debug-bridge",
    setup(build: EsbuildBuild) {
      if (isDevelopmentBuild(build, options.development))
        return unplugin.esbuild(options).setup(build as never);
      return undefined;
    },
  };
}
