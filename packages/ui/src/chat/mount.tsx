import { createRoot } from "react-dom/client";
import type { HubAccess } from "../hub/access.js";
import { ChatApp } from "./app.js";

export type { HubAccess } from "../hub/access.js";
export { HubProblem } from "../hub/access.js";
export type { PageSession, PageTools, PickListener } from "../hub/page-tools.js";

/**
 * Shows the chat in an element. The page around it provides the access to the hub.
 *
 * @example mountChat(document.getElementById("root"), { connect, renew: () => false })
 */
export function mountChat(element: HTMLElement, access: HubAccess): void {
  createRoot(element).render(<ChatApp access={access} />);
}
