import { debugBridge } from "@debug-bridge/browser/vite";
import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";
import { shopApi } from "../shared/shop-api.mjs";

// Another hub than the one on the default port, or several with commas.
const hubs = (process.env.DEBUG_BRIDGE_HUB || "http://127.0.0.1:4000").split(",");
const url = hubs.map((hub) => `${hub.trim().replace(/^http/, "ws")}/debug`);

export default defineConfig({
  plugins: [vue(), shopApi(), debugBridge({ url, sessionId: "shop-vue", appName: "Shop (Vue)" })],
});
