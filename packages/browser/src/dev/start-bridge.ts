import { keepProjectRoot } from "@debug-bridge/page/project";
import { createDebugBridge } from "../create-debug-bridge.js";
import type { DebugBridgeOptions } from "../options.js";
import { HUB_ASKED, HUB_STATE, type HubState } from "../plugin/channel.js";
import { followAngular } from "./angular-updates.js";
import { codeUpdates } from "./code-updates.js";
import { followNextPage } from "./next-updates.js";
import { followVite, type ViteHot } from "./vite-updates.js";
import { followWebpack, type WebpackHot } from "./webpack-updates.js";

/** A server that does not answer in this time is behind something that swallows its messages. */
const ANSWER_MS = 3_000;

/** How a page reaches the development server that it comes from, as far as the bundler has a way. */
export interface PageChannels {
  readonly vite?: ViteHot | undefined;
  readonly webpack?: WebpackHot | undefined;
  /** Next.js, whose socket is listened to. */
  readonly next?: boolean | undefined;
  /** Angular, whose page has the client of Vite. */
  readonly angular?: boolean | undefined;
}

/**
 * What the module runs that a plugin puts into pages. With a channel to the development server the page connects when that reports a
 * hub, so that the browser has no failed connection to complain about.
 */
export function startBridge(
  options: DebugBridgeOptions,
  root: string,
  { vite, webpack, next, angular }: PageChannels = {},
): void {
  const settings = { ...options };
  keepProjectRoot(root);
  if (vite) followVite(vite);
  else if (webpack) followWebpack(webpack);
  else if (next) followNextPage();
  else if (angular) void followAngular().catch(() => {});
  const bridge = createDebugBridge(settings);
  (globalThis as { debugBridge?: unknown }).debugBridge = bridge;
  const connect = (): void => {
    // At the same time as the part that looks: the first edit may come soon.
    if (vite ?? webpack ?? next ?? angular)
      codeUpdates()
        .load()
        .catch(() => {});
    bridge.connect();
  };
  if (!vite) {
    connect();
    return;
  }
  const timer = setTimeout(connect, ANSWER_MS);
  vite.on(HUB_STATE, (state) => {
    clearTimeout(timer);
    const { up, url } = state as HubState;
    (settings as { url: HubState["url"] }).url = url;
    if (up) connect();
    else console.info(`debug-bridge: no hub at ${url}. This page connects when you run "debug-bridge up".`);
  });
  vite.send(HUB_ASKED, {});
}
