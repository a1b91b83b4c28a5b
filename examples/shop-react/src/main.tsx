import { connectState, type DebugBridge, zustandState } from "@debug-bridge/browser";
import { createRoot } from "react-dom/client";
import { useCart } from "./cart.js";
import { Shop } from "./shop.js";

declare global {
  /** Put here by the plugin in vite.config.ts, in development only. */
  var debugBridge: DebugBridge | undefined;
}

if (globalThis.debugBridge) connectState(globalThis.debugBridge, "cart", zustandState(useCart));

const root = document.getElementById("root");
if (root) createRoot(root).render(<Shop />);
