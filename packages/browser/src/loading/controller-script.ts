import { PLATFORM_HANDOVER, platform } from "@debug-bridge/page/capture";
import { exportsOf } from "./exports-of.js";

type Handover = Record<symbol, unknown>;

/**
 * Loads other scripts of ours from beside `sdk.js`: `sdk-dom.js` unless another is named. A script element works across
 * origins without further headers, which a dynamic import would need; it is gone again as soon as it ran.
 */
export function scriptLoader(sdkUrl: string): <Exports>(file?: string) => Promise<Exports> {
  const shared = globalThis as unknown as Handover;
  return <Exports>(file = "sdk-dom.js") =>
    new Promise<Exports>((resolve, reject) => {
      const key = exportsOf(file);
      if (shared[key]) {
        resolve(shared[key] as Exports);
        return;
      }
      shared[PLATFORM_HANDOVER] = platform;
      const script = document.createElement("script");
      script.src = sdkUrl === "" ? `/${file}` : new URL(file, sdkUrl).href;
      script.onload = script.onerror = () => {
        script.remove();
        delete shared[PLATFORM_HANDOVER];
        if (shared[key]) resolve(shared[key] as Exports);
        else reject(new Error(`could not load ${script.src}`));
      };
      document.documentElement.append(script);
    });
}
