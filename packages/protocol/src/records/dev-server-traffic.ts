import type { ReadableRecord } from "./record-line.js";

/** Paths with which development servers reload an app. No app has them itself. */
const PATHS =
  /\/(?:@vite\/|@debug-bridge\/|@id\/|@react-refresh|__vite_ping|_next\/(?:hmr|webpack-hmr|turbopack)|__nextjs_|__webpack_hmr|sockjs-node\/|__nuxt_|_nuxt\/builds\/)|\.hot-update\.(?:js|json|mjs)$/;

/** Whether a record is about the traffic of a bundler's hot reload, of which there is more than of the app's own. */
export function isDevServerTraffic({ type, data }: ReadableRecord): boolean {
  const { url } = (data ?? {}) as { url?: unknown };
  if (type !== "network" || typeof url !== "string" || !URL.canParse(url)) return false;
  const { protocol, pathname, searchParams } = new URL(url);
  if (PATHS.test(pathname)) return true;
  // The socket of Vite: nothing but a token, at the base of the app.
  return /^wss?:$/.test(protocol) && pathname.endsWith("/") && [...searchParams.keys()].join() === "token";
}
