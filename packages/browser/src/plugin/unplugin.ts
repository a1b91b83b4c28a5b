import { createUnplugin, type UnpluginInstance } from "unplugin";
import { createPlugin } from "./create-plugin.js";
import type { PluginOptions } from "./options.js";

/** The plugin in the form of each bundler. */
export const unplugin: UnpluginInstance<PluginOptions | undefined> = createUnplugin(
  (options: PluginOptions | undefined = {}, { framework }) => createPlugin(options, framework),
);
