import type { UnpluginOptions } from "unplugin";
import { reportCompiler } from "./builds/compiler.js";
import { esbuildSetup, injectModule } from "./builds/esbuild-builds.js";
import { rollupHooks } from "./builds/rollup-builds.js";
import { DevServer } from "./dev-server.js";
import type { PluginOptions } from "./options.js";
import { SDK_FILE } from "./page/page-files.js";
import { virtualModule } from "./page/virtual-module.js";

/**
 * The one plugin behind the entries of all bundlers but Vite, in the form of unplugin: it resolves and loads the module that connects
 * a page, and has each bundler put that into its pages and report the effect of edits.
 */
export function createPlugin(options: PluginOptions, framework: string): UnpluginOptions {
  const server = new DevServer(options, framework);
  const channel = framework === "webpack" || framework === "rspack" ? "webpack" : undefined;
  return {
    name: "debug-bridge",
    ...virtualModule(async () =>
      server.pageModule((await server.link.state()).url, { sdk: SDK_FILE, channel }),
    ),
    rollup: rollupHooks(server) as never,
    webpack: (compiler) => reportCompiler(compiler as never, server),
    rspack: (compiler) => reportCompiler(compiler as never, server),
    esbuild: { config: injectModule, setup: (build) => esbuildSetup(build as never, server) },
  };
}
