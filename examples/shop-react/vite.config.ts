import { debugBridge } from "@debug-bridge/browser/vite";
import { defineConfig } from "vite";
import { shopApi } from "../shared/shop-api.mjs";

// Another hub than the one on the default port, or several with commas.
const hubs = (process.env.DEBUG_BRIDGE_HUB || "http://127.0.0.1:4000").split(",");
const url = hubs.map((hub) => `${hub.trim().replace(/^http/, "ws")}/debug`);

export default defineConfig({
  plugins: [shopApi(), debugBridge({ url, sessionId: "shop-react", appName: "Shop (React)" })],
});
