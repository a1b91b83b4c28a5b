/**
 * SvelteKit is served by Vite, so that its plugin is the one of Vite.
 *
 * @example
 * // vite.config.ts
 * import { debugBridge } from "@debug-bridge/browser/sveltekit";
 * import { sveltekit } from "@sveltejs/kit/vite";
 * export default { plugins: [debugBridge({ sessionId: "shop" }), sveltekit()] };
 */
export { debugBridge } from "./vite.js";
