import { debugBridge } from "@debug-bridge/browser/vite";
import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";
import { shopApi } from "../shared/shop-api.mjs";

const url = process.env.DEBUG_BRIDGE_HUB?.replace(/^http/, "ws") ?? "ws://127.0.0.1:4000";

export default defineConfig({
  plugins: [
    vue(),
    shopApi(),
    debugBridge({ url: `${url}/debug`, sessionId: "shop-vue", appName: "Shop (Vue)" }),
  ],
});
