import type { DevServer } from "./dev-server.js";
import { withLines } from "./marked-lines.js";
import { PAGE_MODULE } from "./page-module.js";
import { reportHub } from "./report-hub.js";
import type { ResolvedViteConfig, ViteDevServer, ViteHooks } from "./vite-api.js";
import { ViteEdits } from "./vite-edits.js";

/** Vite's own script, which is in every page of a development server, also in pages that a framework renders. */
const VITE_CLIENT = /[\\/]vite[\\/]dist[\\/]client[\\/]client\.mjs(?:$|\?)/;
/** What the server prints about edits, which are reported by themselves. */
const ABOUT_EDITS = /^(?:\S+ )?(?:hmr (?:update|invalidate)|page reload)\b/;
/** Installed like any dependency, and not linked from a workspace. */
const IS_INSTALLED = /[\\/]node_modules[\\/]/.test(import.meta.url);

/** Whether a test runner uses Vite: then there is no page. */
const isTest = (): boolean =>
  (globalThis as { process?: { env?: Record<string, string> } }).process?.env?.VITEST === "true";

/** What the plugin does in a development server of Vite. Builds are left alone. */
export function viteHooks(server: DevServer): { readonly hooks: ViteHooks; readonly hasChannel: boolean } {
  const state = {
    ...{ hasChannel: true, plugins: [] as string[] },
    edits: undefined as ViteEdits | undefined,
  };
  const hooks: ViteHooks = {
    // Nuxt has a second server, for code that never runs in a page.
    apply: ({ build }, { command }) =>
      command === "serve" && !build?.ssr && server.options.development !== false,
    // Found only when a page is loaded, it would have the server optimize again and the page load again.
    config: () => (IS_INSTALLED ? { optimizeDeps: { include: ["@debug-bridge/browser"] } } : undefined),
    configResolved(config) {
      if (isTest() && server.options.development === undefined) server.link.isQuiet = true;
      state.hasChannel = config.server?.hmr !== false;
      state.plugins = config.plugins?.map(({ name }) => name) ?? [];
      server.start(config.root);
      forwardLog(config, server);
    },
    configureServer(vite) {
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
        if (VITE_CLIENT.test(id)) return `${code}\nimport(${JSON.stringify(PAGE_MODULE)});`;
        if (!id.includes("/node_modules/")) state.edits?.onCode(code);
        const about = { path: server.pathOf(id), root: server.root, plugins: state.plugins };
        return withLines(code, id, about).catch(() => undefined);
      },
    },
    transformIndexHtml: {
      // Before the app's own script, so that its first lines are captured.
      order: "pre",
      handler: () => [
        {
          tag: "script",
          attrs: { type: "module", src: `/@id/__x00__${PAGE_MODULE}` },
          injectTo: "head-prepend",
        },
      ],
    },
  };
  return {
    hooks,
    get hasChannel() {
      return state.hasChannel;
    },
  };
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
