import { PLATFORM_HANDOVER, platform } from "@debug-bridge/page/capture";

/** Where the second script, and the third, leave their exports. */
export const CONTROLLER = Symbol.for("debug-bridge.dom");
export const FIND = Symbol.for("debug-bridge.find");

type Handover = Record<symbol, unknown>;

/**
 * Loads another script of ours from beside one that is here. A script element works across origins without further
 * headers, which a dynamic import would need; it is gone again as soon as it ran.
 */
export function loadScript<Exports>(beside: string, file: string, key: symbol): () => Promise<Exports> {
  const url = beside === "" ? `/${file}` : new URL(file, beside).href;
  const shared = globalThis as unknown as Handover;
  return () =>
    new Promise((resolve, reject) => {
      const known = shared[key] as Exports | undefined;
      if (known) {
        resolve(known);
        return;
      }
      shared[PLATFORM_HANDOVER] = platform;
      const script = document.createElement("script");
      script.src = url;
      script.onload = () => {
        script.remove();
        delete shared[PLATFORM_HANDOVER];
        resolve(shared[key] as Exports);
      };
      script.onerror = () => {
        script.remove();
        reject(new Error(`the debug bridge could not load ${url}; the hub must serve it beside sdk.js`));
      };
      (document.head ?? document.documentElement).append(script);
    });
}
