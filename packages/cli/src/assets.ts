import { fileURLToPath } from "node:url";
import type { Asset } from "@debug-bridge/server";

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";
const PAGE = "text/html; charset=utf-8";

const installed = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));
const own = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The pages and scripts that the hub serves, from the packages that hold them. */
export function hubAssets(options: { demo: boolean }): Map<string, Asset> {
  const assets = new Map<string, Asset>([
    ["/", { file: installed("@debug-bridge/dashboard/index.html"), type: PAGE }],
    ["/dashboard.js", { file: installed("@debug-bridge/dashboard/dashboard.js"), type: SCRIPT }],
    ["/dashboard.css", { file: installed("@debug-bridge/dashboard/dashboard.css"), type: STYLE }],
    ["/chat", { file: installed("@debug-bridge/ui/page/chat.html"), type: PAGE }],
    ["/chat.js", { file: installed("@debug-bridge/ui/page/chat.js"), type: SCRIPT }],
    ["/chat-highlighter.js", { file: installed("@debug-bridge/ui/page/chat-highlighter.js"), type: SCRIPT }],
    ["/chat.css", { file: installed("@debug-bridge/ui/page/chat.css"), type: STYLE }],
    ["/sdk.js", { file: installed("@debug-bridge/browser/sdk.js"), type: SCRIPT }],
    ["/sdk-dom.js", { file: installed("@debug-bridge/browser/sdk-dom.js"), type: SCRIPT }],
    ["/sdk-act.js", { file: installed("@debug-bridge/browser/sdk-act.js"), type: SCRIPT }],
    ["/sdk-find.js", { file: installed("@debug-bridge/browser/sdk-find.js"), type: SCRIPT }],
  ]);
  if (options.demo) {
    assets.set("/demo/", { file: own("demo/index.html"), type: PAGE });
    assets.set("/demo/shop.js", { file: own("demo/shop.js"), type: SCRIPT });
    assets.set("/demo/shop.css", { file: own("demo/shop.css"), type: STYLE });
  }
  return assets;
}
