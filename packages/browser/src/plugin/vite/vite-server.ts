import type { DevServer } from "../dev-server.js";
import { marksLines } from "../lines/marked-lines.js";
import { PAGE_PATH, SDK_FILE, sdkPath, servePage } from "../page/page-files.js";
import { PAGE_MODULE, type PageImports } from "../page/page-module.js";
import { reportHub } from "../report-hub.js";
import type { ResolvedViteConfig, ViteDevServer, ViteHooks } from "./vite-api.js";
import { ViteEdits } from "./vite-edits.js";

/** Vite's own script, which is in every page of a development server, also in pages that a framework renders. */
const VITE_CLIENT = /[\\/]vite[\\/]dist[\\/]client[\\/]client\.mjs(?:$|\?)/;
/** Where Vite serves the module when it builds it. */
const BUILT_PATH = `@id/__x00__${PAGE_MODULE}`;
/** What the server prints about edits, which are reported by themselves. */
const ABOUT_EDITS = /^(?:\S+ )?(?:hmr (?:update|invalidate)|page reload)\b/;

/** Whether a test runner uses Vite: then there is no page. */
const isTest = (): boolean =>
  (globalThis as { process?: { env?: Record<string, string> } }).process?.env?.VITEST === "true";

/** What the plugin does in a development server of Vite. Builds are left alone. */
export function viteHooks(server: DevServer): {
  readonly hooks: ViteHooks;
  /** The module that connects pages, for Vite to build. */
  builtCode(): Promise<string>;
} {
  const state = {
    ...{ hasChannel: true, plugins: [] as string[], base: "/" },
    /** Whether pages get the module as it is, and Vite does not build it. */
    isServed: true,
    edits: undefined as ViteEdits | undefined,
  };
  // With a channel the server reports to the page where the hub is.
  const pageCode = async (imports: PageImports): Promise<string> =>
    state.hasChannel
      ? server.pageModule(server.link.assumedUrl, imports)
      : server.pageModule((await server.link.state()).url, { sdk: imports.sdk });
  const servedCode = async (): Promise<string> => {
    const sdk = `${state.base}${await sdkPath()}`;
    return pageCode({ sdk, viteClient: `${state.base}@vite/client`, channel: "vite-client" });
  };
  const hooks: ViteHooks = {
    // Nuxt has a second server, for code that never runs in a page.
    apply: ({ build }, { command }) =>
      command === "serve" && !build?.ssr && server.options.development !== false,
    configResolved(config) {
      if (isTest() && server.options.development === undefined) server.link.isQuiet = true;
      state.hasChannel = config.server?.hmr !== false;
      state.base = config.base ?? "/";
      // A server that bundles has to bundle this too, and only what is built knows that it is for production.
      state.isServed = !config.experimental?.bundledDev && config.isProduction !== true;
      state.plugins = config.plugins?.map(({ name }) => name) ?? [];
      server.start(config.root);
      forwardLog(config, server);
    },
    configureServer(vite) {
      vite.middlewares.use(servePage(servedCode));
      reportHub(vite.ws, server.link);
      state.edits = new ViteEdits(vite, server);
      state.edits.follow();
      showDashboard(vite, server);
    },
    hotUpdate: {
      // After the plugins that decide what is updated.
      order: "post",
      handler({ file }) {
        state.edits?.onAsked(file, this.environment?.name);
      },
    },
    handleHotUpdate: {
      order: "post",
      handler: ({ file }) => state.edits?.onAsked(file),
    },
    transform: {
      // Templates are marked before they are compiled.
      order: "pre",
      handler(code, id, { ssr = false } = {}) {
        if (ssr) return undefined;
        if (VITE_CLIENT.test(id)) return `${code}\n${importOf(state)}`;
        if (!id.includes("/node_modules/")) state.edits?.onCode(code);
        const withLines = marksLines(id, state.plugins);
        return withLines?.(code, server.pathOf(id), server.root).catch(() => undefined);
      },
    },
    transformIndexHtml: {
      // Before the app's own script, so that its first lines are captured.
      handler: () => [
        {
          tag: "script",
          attrs: { type: "module", src: `${state.base}${state.isServed ? PAGE_PATH : BUILT_PATH}` },
          injectTo: "head-prepend",
        },
      ],
    },
  };
  return { hooks, builtCode: () => pageCode({ sdk: SDK_FILE, channel: "vite" }) };
}

/** What Vite's script runs last. Vite looks for modules in names that it can read. */
function importOf({ isServed, base }: { readonly isServed: boolean; readonly base: string }): string {
  return isServed
    ? `const debugBridge = ${JSON.stringify(`${base}${PAGE_PATH}`)};\nimport(/* @vite-ignore */ debugBridge);`
    : `import(${JSON.stringify(PAGE_MODULE)});`;
}

function forwardLog({ logger }: ResolvedViteConfig, server: DevServer): void {
  if (!logger) return;
  for (const level of ["info", "warn", "error"] as const) {
    const print = logger[level];
    logger[level] = (line, ...rest) => {
      if (!ABOUT_EDITS.test(line)) server.log(level, line);
      print.call(logger, line, ...rest);
    };
  }
}

/** Adds the dashboard to the addresses that the server prints when it starts. */
function showDashboard(vite: ViteDevServer, server: DevServer): void {
  const print = vite.printUrls.bind(vite);
  vite.printUrls = () => {
    print();
    void server.banner().then((line) => vite.config.logger?.info(`  ➜  Debug Bridge: ${line}`));
  };
}
