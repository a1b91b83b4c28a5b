import type { ChatClient } from "./chat-client.js";
import type { PageTools } from "./page-tools.js";

/** With the hub's commands: pictures only, because nobody overlays the page for the person. */
export function commandTools(client: ChatClient): PageTools {
  return {
    canCapture: ({ kind }) => kind === "tab" || kind === "browser",
    capture: ({ id }) => client.screenshot(id),
    canPick: () => false,
    pick: async () => undefined,
  };
}
