/** The published SDK as an app embeds it; the test gives its options on the page. */
import { createDebugBridge } from "debug-bridge-browser";

window.bridge = createDebugBridge({
  ...window.bridgeOptions,
  getCustomState: () => ({ cart: { items: window.cartItems ?? 0, apiToken: "tok-4711" } }),
});
window.bridge.connect();
