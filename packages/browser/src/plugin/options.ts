import type { DebugBridgeOptions } from "../options.js";

/** Options of a plugin: those of the bridge that can be written into a page, which is everything but functions. */
export type PluginOptions = Partial<
  Omit<DebugBridgeOptions, "getCustomState" | "getUiTreeItems" | "redact">
> & {
  readonly redact?: readonly string[];
  /** Whether this is development. By default the bundler is asked; esbuild does not know, so that `NODE_ENV` is. */
  readonly development?: boolean;
  /** Whether edits of the source code are reported. On unless false. */
  readonly edits?: boolean;
  /** The folder that paths are shown from. By default it is the root of the bundler. */
  readonly root?: string;
};

const DEFAULT_SESSION = "local-dev";

/** The name of the session: the one that is given, else that of the project's folder. */
export function sessionOf({ sessionId }: PluginOptions, root: string): string {
  return sessionId ?? root.split(/[\\/]/).filter(Boolean).pop() ?? DEFAULT_SESSION;
}
