import { createApp, watch } from "vue";
import { cart } from "./cart.js";
import Shop from "./shop.vue";

const { debugBridge } = globalThis as {
  debugBridge?: { sendCustomState(scope: string, state: unknown): void };
};
if (debugBridge)
  watch(cart, (lines) => debugBridge.sendCustomState("cart", { lines }), { immediate: true, deep: true });

createApp(Shop).mount("#root");
