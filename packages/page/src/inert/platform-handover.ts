import type { Platform } from "./platform.js";

/**
 * Where a second script of ours finds what the first one saved: by the time it loads, the app may have replaced
 * everything.
 */
export const PLATFORM_HANDOVER = Symbol.for("debug-bridge.platform");

/** What the first script saved; `undefined` when this is the first. */
export const handedOver = (globalThis as unknown as Record<symbol, Platform | undefined>)[PLATFORM_HANDOVER];
