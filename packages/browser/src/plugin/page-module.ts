import type { PluginOptions } from "./options.js";

/** The id under which apps and plugins import the module. */
export const PAGE_MODULE = "virtual-debug-bridge";

/** How a page reaches its development server, by bundler, in code of the module. */
const CHANNELS: Readonly<Record<string, string>> = {
  vite: "{ vite: import.meta.hot }",
  webpack: "{ webpack: import.meta.webpackHot }",
};

/** The module that a plugin puts into pages. */
export function pageModule(
  {
    development: _development,
    edits: _edits,
    root: _root,
    ...options
  }: PluginOptions & { readonly url: string | readonly string[]; readonly sessionId: string },
  root: string,
  channel: keyof typeof CHANNELS | undefined,
): string {
  const channels = channel === undefined ? "{}" : CHANNELS[channel];
  return `import { startBridge } from "@debug-bridge/browser";
startBridge(${JSON.stringify(options)}, ${JSON.stringify(root)}, ${channels});
`;
}
