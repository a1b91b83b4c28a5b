import type { PickedElement, SentImage, SessionSummary } from "@debug-bridge/protocol";
import type { ChatClient } from "./chat-client.js";

/** What the person pointed at in a page, and how it looks. */
export interface Picked {
  readonly element: Omit<PickedElement, "imageIndex">;
  readonly picture?: SentImage;
}

/** What the person can show to the agent from the page that it works in. */
export interface PageTools {
  canCapture(session: SessionSummary): boolean;
  /** A picture of what the page shows now. */
  capture(session: SessionSummary): Promise<SentImage>;
  canPick(session: SessionSummary): boolean;
  /**
   * Lets the person click an element in the page; nothing when they cancel there, or `signal` aborts. `onReady`: the
   * page takes the click from now on.
   */
  pick(session: SessionSummary, signal: AbortSignal, onReady: () => void): Promise<Picked | undefined>;
}

/** With the hub's commands: pictures only, because nobody overlays the page for the person. */
export function commandTools(client: ChatClient): PageTools {
  return {
    canCapture: ({ kind }) => kind === "tab" || kind === "browser",
    capture: ({ id }) => client.screenshot(id),
    canPick: () => false,
    pick: async () => undefined,
  };
}
