/** What content scripts, the worker and the popup say to each other. */
import type { AccessSettings } from "./debugger/access.js";

export const PAGE_PORT = "page";
export const POPUP_PORT = "popup";

/** Where a document is, and the title of its tab as far as it sees it; a page may change both without loading anew. */
export interface Place {
  readonly url: string;
  readonly title: string;
}

/** Content script to worker. */
export type FromPage =
  /** Consecutive events, the first with number `first`; each is `0|1`, the time, and the payload as JSON. */
  | {
      readonly kind: "events";
      readonly first: number;
      readonly list: readonly string[];
      readonly place?: Place;
    }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "dropping" }
  | { readonly kind: "dropped"; readonly count: number };

/** Worker to content script. */
export type ToPage =
  /** Events up to this number have arrived and need not be kept. */
  | { readonly kind: "ack"; readonly seq: number }
  | { readonly kind: "ask-dropped" }
  /** The site is no longer to be captured. */
  | { readonly kind: "stop" };

/** Worker to every tab, when a hub is there again: whoever has lost its port opens one. */
export const WAKE = "debug-bridge-wake";

/** Popup to worker. */
export type FromPopup =
  | { readonly kind: "retry" }
  | { readonly kind: "set-address"; readonly address: string }
  | { readonly kind: "add-site"; readonly pattern: string }
  | { readonly kind: "remove-site"; readonly pattern: string }
  | { readonly kind: "set-relay"; readonly address: string }
  | { readonly kind: "set-access"; readonly access: AccessSettings }
  | { readonly kind: "hand-over"; readonly tabId: number }
  | { readonly kind: "revoke"; readonly tabId: number };
