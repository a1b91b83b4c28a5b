import type { DebugBridgeOptions } from "./options.js";

/** Options of the bridge that can be written into a page: everything but functions. */
export type ViteBridgeOptions = Partial<
  Omit<DebugBridgeOptions, "getCustomState" | "getUiTreeItems" | "redact">
> & {
  readonly redact?: readonly string[];
};

/** The part of a Vite plugin that is used here, so that Vite itself is no dependency. */
interface VitePlugin {
  readonly name: string;
  readonly apply: "serve";
  configResolved(config: { root: string }): void;
  resolveId(id: string): string | undefined;
  load(id: string): string | undefined;
  transformIndexHtml: {
    readonly order: "pre";
    handler(): { tag: string; attrs: Record<string, string>; injectTo: "head-prepend" }[];
  };
}

const MODULE = "virtual:debug-bridge";
/** Vite serves ids that begin like this as virtual modules. */
const RESOLVED = "\0virtual:debug-bridge";
const DEFAULT_URL = "ws://127.0.0.1:4000/debug";

/**
 * Puts the bridge into every page that the development server serves, with no change to the app. Builds are left
 * alone.
 *
 * @example
 * // vite.config.ts
 * import { debugBridge } from "@debug-bridge/browser/vite";
 * export default { plugins: [debugBridge({ sessionId: "shop", enableEval: true })] };
 */
export function debugBridge(options: ViteBridgeOptions = {}): VitePlugin {
  let sessionId = options.sessionId ?? "local-dev";
  return {
    name: "debug-bridge",
    apply: "serve",
    configResolved({ root }) {
      if (!options.sessionId) sessionId = root.split(/[\\/]/).filter(Boolean).pop() ?? sessionId;
    },
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      const settings = JSON.stringify({ url: DEFAULT_URL, ...options, sessionId });
      return [
        'import { createDebugBridge } from "@debug-bridge/browser";',
        `const bridge = createDebugBridge(${settings});`,
        "globalThis.debugBridge = bridge;",
        "bridge.connect();",
      ].join("\n");
    },
    transformIndexHtml: {
      // Before the app's own script, so that its first lines are captured.
      order: "pre",
      handler: () => [
        { tag: "script", attrs: { type: "module", src: `/@id/__x00__${MODULE}` }, injectTo: "head-prepend" },
      ],
    },
  };
}
