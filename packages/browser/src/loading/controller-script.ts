import { PLATFORM_HANDOVER, platform } from "@debug-bridge/page/capture";
import type { LoadSecondHalf } from "./controller-loader.js";

/** Where the second script leaves its exports. */
export const CONTROLLER = Symbol.for("debug-bridge.dom");

type Handover = Record<symbol, unknown>;
type DomModule = Awaited<ReturnType<LoadSecondHalf>>;

/**
 * Loads `sdk-dom.js` from beside `sdk.js`. A script element works across origins without further headers, which a
 * dynamic import would need; it is gone again as soon as it ran.
 */
export function loadDomScript(sdkUrl: string): LoadSecondHalf {
  const url = sdkUrl === "" ? "/sdk-dom.js" : new URL("sdk-dom.js", sdkUrl).href;
  const shared = globalThis as unknown as Handover;
  return () =>
    new Promise((resolve, reject) => {
      const known = shared[CONTROLLER] as DomModule | undefined;
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
        resolve(shared[CONTROLLER] as DomModule);
      };
      script.onerror = () => {
        script.remove();
        reject(new Error(`the debug bridge could not load ${url}; the hub must serve it beside sdk.js`));
      };
      (document.head ?? document.documentElement).append(script);
    });
}
