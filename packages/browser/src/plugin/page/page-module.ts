import type { PluginOptions } from "../options.js";

/** The id under which bundlers import the module. */
export const PAGE_MODULE = "virtual-debug-bridge";

/** How a page reaches its development server, by bundler, in code of the module. */
const CHANNELS = {
  /** In the module that Vite itself builds. */
  vite: "{ vite: import.meta.hot }",
  /** In the module that the plugin sends unchanged: `createHotContext` is what `import.meta.hot` is made with. */
  "vite-client": "{ vite: createHotContext(import.meta.url) }",
  webpack: "{ webpack: import.meta.webpackHot }",
} as const;

/** What the module imports, and how the page reaches its server. */
export interface PageImports {
  readonly sdk: string;
  /** The script of Vite that is in every page, if the module is not built by Vite. */
  readonly viteClient?: string;
  readonly channel?: keyof typeof CHANNELS | undefined;
}

/** The module that a plugin puts into pages. */
export function pageModule(
  {
    development: _development,
    edits: _edits,
    root: _root,
    ...options
  }: PluginOptions & { readonly url: string | readonly string[]; readonly sessionId: string },
  root: string,
  { sdk, viteClient, channel }: PageImports,
): string {
  const client = viteClient ? `import { createHotContext } from ${JSON.stringify(viteClient)};\n` : "";
  return `${client}import { startBridge } from ${JSON.stringify(sdk)};
startBridge(${JSON.stringify(options)}, ${JSON.stringify(root)}, ${channel ? CHANNELS[channel] : "{}"});
`;
}
