import { PLATFORM_HANDOVER, platform } from "@debug-bridge/page/capture";
import type { LoadScript } from "./controller-loader.js";
import { exportsOf } from "./exports-of.js";

type Handover = Record<symbol, unknown>;

/**
 * Loads other scripts of ours from beside `sdk.js`: `sdk-dom.js` unless another is named. Each is loaded once; a load that
 * failed is tried again the next time. A script element works across origins without further headers, which a dynamic
 * import would need; it is gone again as soon as it ran.
 */
export function scriptLoader(sdkUrl: string): LoadScript {
  const shared = globalThis as unknown as Handover;
  const loading: Record<string, Promise<unknown> | undefined> = {};
  const load = (file: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const key = exportsOf(file);
      if (shared[key]) {
        resolve(shared[key]);
        return;
      }
      shared[PLATFORM_HANDOVER] = platform;
      const script = document.createElement("script");
      script.src = sdkUrl === "" ? `/${file}` : new URL(file, sdkUrl).href;
      script.onload = script.onerror = () => {
        script.remove();
        delete shared[PLATFORM_HANDOVER];
        delete loading[file];
        if (shared[key]) resolve(shared[key]);
        else reject(new Error(`could not load ${script.src}`));
      };
      document.documentElement.append(script);
    });
  return ((file = "sdk-dom.js") => (loading[file] ??= load(file))) as LoadScript;
}
