import { fileURLToPath } from "node:url";
import { type Asset, SHARED_REPLAY, SHARED_SCRIPT } from "@debug-bridge/server";

const SCRIPT = "text/javascript; charset=utf-8";
const SOURCE_MAP = "application/json; charset=utf-8";
const STYLE = "text/css; charset=utf-8";
const PAGE = "text/html; charset=utf-8";

const installed = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));
const own = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The SDK and its parts, which are loaded from beside it. */
const SDK_SCRIPTS = [
  ...["sdk", "sdk-dom", "sdk-act", "sdk-find", "sdk-record"],
  ...["sdk-causes", "sdk-replay", "sdk-source", "sdk-component", "sdk-point"],
];

/** The script that builds the page of an app in a Chrome, which draws it. */
export const drawPageScript = (): string => installed("@debug-bridge/dashboard/draw-page.js");

/** The pages and scripts that the hub serves, from the packages that hold them. */
export function hubAssets(options: { demo: boolean }): Map<string, Asset> {
  const assets = new Map<string, Asset>([
    ["/", { file: installed("@debug-bridge/dashboard/index.html"), type: PAGE, isStrict: true }],
    ["/dashboard.js", { file: installed("@debug-bridge/dashboard/dashboard.js"), type: SCRIPT }],
    [
      "/dashboard-replay-player.js",
      { file: installed("@debug-bridge/dashboard/dashboard-replay-player.js"), type: SCRIPT },
    ],
    [SHARED_REPLAY, { file: installed("@debug-bridge/dashboard/shared-replay.js"), type: SCRIPT }],
    [SHARED_SCRIPT, { file: installed("@debug-bridge/dashboard/shared-file.js"), type: SCRIPT }],
    ["/dashboard.css", { file: installed("@debug-bridge/dashboard/dashboard.css"), type: STYLE }],
    ["/chat", { file: installed("@debug-bridge/ui/page/chat.html"), type: PAGE }],
    ["/chat.js", { file: installed("@debug-bridge/ui/page/chat.js"), type: SCRIPT }],
    ["/chat-highlighter.js", { file: installed("@debug-bridge/ui/page/chat-highlighter.js"), type: SCRIPT }],
    ["/chat.css", { file: installed("@debug-bridge/ui/page/chat.css"), type: STYLE }],
    ...SDK_SCRIPTS.map((name): [string, Asset] => [
      `/${name}.js`,
      { file: installed(`@debug-bridge/browser/${name}.js`), type: SCRIPT },
    ]),
    ["/sdk.js.map", { file: installed("@debug-bridge/browser/sdk.js.map"), type: SOURCE_MAP }],
  ]);
  if (options.demo) {
    assets.set("/demo/", { file: own("demo/index.html"), type: PAGE });
    assets.set("/demo/shop.js", { file: own("demo/shop.js"), type: SCRIPT });
    assets.set("/demo/shop.css", { file: own("demo/shop.css"), type: STYLE });
  }
  return assets;
}
