/** What a page asks its development server, and what it receives: whether a hub runs, and where. */
export const HUB_ASKED = "debug-bridge:ask";
export const HUB_STATE = "debug-bridge:hub";
/** Sent to pages right before the update that an edit led to. */
export const EDIT = "debug-bridge:edit";

/** Sent to pages by the development server of Angular when the template or the styles of a component are replaced. */
export const COMPONENT_UPDATE = "angular:component-update";

export interface EditNotice {
  readonly id: string;
  /** Whether code of the app does something when it is replaced, which may change the page before new code arrives. */
  readonly disposes: boolean;
}

export interface HubState {
  readonly up: boolean;
  /** The endpoint for pages: `ws://127.0.0.1:4000/debug`. */
  readonly url: string | readonly string[];
}
