import type { UnpluginOptions } from "unplugin";
import { reportCompiler } from "./compiler.js";
import { DevServer } from "./dev-server.js";
import { esbuildSetup, injectModule } from "./esbuild-builds.js";
import type { PluginOptions } from "./options.js";
import { SDK_FILE } from "./page-files.js";
import { PAGE_MODULE, type PageImports, pageModule } from "./page-module.js";
import { rollupHooks } from "./rollup-builds.js";
import { viteHooks } from "./vite-server.js";

/** Bundlers serve ids that begin like this as virtual modules. */
const RESOLVED = `\0${PAGE_MODULE}`;

const CHANNELS = { vite: "vite", webpack: "webpack", rspack: "webpack" } as const;

/**
 * The one plugin behind the entries of all bundlers, in the form of unplugin: it resolves and loads the module that connects a page, and
 * has each bundler put that into its pages and report what becomes of edits.
 */
export function createPlugin(options: PluginOptions, framework: string): UnpluginOptions {
  const server = new DevServer(options, framework);
  const pageCode = async (imports: PageImports, asks = false): Promise<string> => {
    // With a channel the server tells the page where the hub is.
    const url = asks ? server.link.assumedUrl : (await server.link.state()).url;
    return pageModule({ ...options, url, sessionId: server.sessionId }, server.root, imports);
  };
  const vite = viteHooks(server, pageCode);
  const channel = CHANNELS[framework as keyof typeof CHANNELS] as PageImports["channel"];
  return {
    name: "debug-bridge",
    resolveId: {
      filter: { id: /^virtual-debug-bridge$/ },
      // Older versions of Vite do not know filters.
      handler: (id) => (id === PAGE_MODULE ? RESOLVED : undefined),
    },
    load: {
      filter: { id: /virtual-debug-bridge$/ },
      async handler(id) {
        if (!id.endsWith(PAGE_MODULE)) return undefined;
        const imports = { sdk: pathOf(SDK_FILE), channel };
        if (framework !== "vite") return pageCode(imports);
        return vite.hasChannel ? pageCode(imports, true) : pageCode({ ...imports, channel: undefined });
      },
    },
    vite: vite.hooks as never,
    rollup: rollupHooks(server) as never,
    webpack: (compiler) => reportCompiler(compiler as never, server),
    rspack: (compiler) => reportCompiler(compiler as never, server),
    esbuild: { config: injectModule, setup: (build) => esbuildSetup(build as never, server) },
  };
}

/** A file as bundlers name it, with slashes on Windows too. */
const pathOf = ({ pathname }: URL): string => decodeURIComponent(pathname).replace(/^\/(?=[a-zA-Z]:\/)/, "");
