import { astroLinePlugins, LINE_ATTRIBUTE } from "../plugin/lines/astro-lines.js";
import type { PluginOptions } from "../plugin/options.js";
import { debugBridge as vitePlugin } from "./vite.js";

/** The part of an integration of Astro that is used here. */
interface AstroIntegration {
  readonly name: string;
  readonly hooks: {
    readonly "astro:config:setup": (about: {
      readonly command: string;
      updateConfig(config: object): unknown;
      injectScript(stage: "head-inline", code: string): void;
    }) => void;
  };
}

/**
 * Runs in pages, as text. Astro writes into attributes where elements come from, and its own tools remove these when their script
 * runs: after the document was read.
 */
function keepPlaces(lineAttribute: string): void {
  const keep = (): void => {
    for (const element of document.querySelectorAll("[data-astro-source-file]")) {
      const file = element.getAttribute("data-astro-source-file") ?? "";
      const component = /^([A-Z]\w*)\.astro$/.exec(file.slice(file.lastIndexOf("/") + 1))?.[1];
      // The line that Astro itself writes is where the tag ends.
      const line = element.getAttribute(lineAttribute);
      const marked = element as { __debugBridgeSource?: string };
      // An element that was there before has its place already, and its line no more.
      if (line === null && marked.__debugBridgeSource !== undefined) continue;
      element.removeAttribute(lineAttribute);
      marked.__debugBridgeSource = `${file}:${line ?? "0"}${component ? ` ${component}` : ""}`;
    }
  };
  document.addEventListener("readystatechange", keep);
  document.addEventListener("astro:after-swap", keep);
}

/**
 * An integration of Astro that puts the bridge into every page in development, with no change to the app.
 *
 * @example
 * // astro.config.mjs
 * import { debugBridge } from "@debug-bridge/browser/astro";
 * export default { integrations: [debugBridge({ sessionId: "shop" })] };
 */
export function debugBridge(options: PluginOptions = {}): AstroIntegration {
  return {
    name: "debug-bridge",
    hooks: {
      "astro:config:setup"({ command, updateConfig, injectScript }) {
        if (command !== "dev") return;
        updateConfig({ vite: { plugins: [vitePlugin(options), ...astroLinePlugins()] } });
        injectScript("head-inline", `(${keepPlaces})(${JSON.stringify(LINE_ATTRIBUTE)});`);
      },
    },
  };
}
