/** What the SDK loads when there is a hub to talk to: the part that looks and acts, and what only a connection needs. */
export { createPageController } from "@debug-bridge/page/dom";
export { IdempotencyStore, tabStorage } from "../idempotency-store.js";
export { createMark } from "../mark.js";
