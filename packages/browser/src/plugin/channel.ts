/** What a page asks its development server, and what it is told: whether a hub runs, and where. */
export const HUB_ASKED = "debug-bridge:ask";
export const HUB_STATE = "debug-bridge:hub";
/** Sent to pages right before the update that an edit led to. */
export const EDIT = "debug-bridge:edit";

export interface HubState {
  readonly up: boolean;
  /** The endpoint for pages: `ws://127.0.0.1:4000/debug`. */
  readonly url: string | readonly string[];
}
