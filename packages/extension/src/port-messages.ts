/** The messages between content scripts, the worker, the popup and the side panel. */
import type { PickedElement, SentImage, TabAccess } from "@debug-bridge/protocol";
import type { WaitingAnswer } from "./debugger/access/decisions.js";
import type { SettingsChange } from "./settings/settings.js";

export const PAGE_PORT = "page";
export const POPUP_PORT = "popup";
export const PANEL_PORT = "panel";
export const KEEP_ALIVE_PORT = "keep-alive";

/** URL of a document, and title of its tab if it can see it. A page may change both without loading again. */
export interface Place {
  readonly url: string;
  readonly title: string;
}

/** Content script to worker. */
export type FromPage =
  /** Consecutive events, the first with number `first`. Each is `0` or `1`, the time, and the payload as JSON. */
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
  /** The site is no longer captured. */
  | { readonly kind: "stop" };

/** Worker to every tab, when a hub is connected again: documents that lost their port open one. */
export const WAKE = "debug-bridge-wake";

/**
 * Popup to worker. A change holds only what the person changed: the worker's settings are the only copy. `number` counts
 * the changes of a popup, so that it can recognise a state from before its last change.
 */
export type FromPopup =
  | { readonly kind: "set"; readonly set: SettingsChange; readonly number: number }
  | { readonly kind: "retry" }
  /** Pairing by a code: start, the codes are the same, stop. */
  | { readonly kind: "pair" }
  | { readonly kind: "pair-confirm" }
  | { readonly kind: "pair-cancel" }
  /** Shares a tab, or changes what agents may do there; without `access`, with the default. */
  | { readonly kind: "share"; readonly tabId: number; readonly access?: TabAccess }
  | { readonly kind: "stop"; readonly tabId: number }
  /** Lets the person pick an element of the tab for agents. */
  | { readonly kind: "pick"; readonly tabId: number }
  | { readonly kind: "stop-all" }
  | { readonly kind: "answer-waiting"; readonly answer: WaitingAnswer; readonly tabId?: number }
  | {
      readonly kind: "answer-grant";
      readonly id: number;
      readonly allowed: boolean;
      readonly remember: boolean;
    }
  | { readonly kind: "forget-client"; readonly client: string };

/** Side panel to worker: a picture of a shared tab, or an element that the person picks there. */
export type FromPanel =
  | { readonly kind: "capture" | "pick"; readonly tabId: number }
  /** While the person picks: marks the next element or the one before, and picks the one that is marked. */
  | { readonly kind: "point"; readonly step: 1 | -1 }
  | { readonly kind: "choose" };

/** Worker to side panel. */
export type ToPanel =
  /** The tab takes the person's click from now on. */
  | { readonly kind: "ready" }
  /** The element that the person marked with the keyboard. */
  | { readonly kind: "pointed"; readonly role: string; readonly name: string }
  | { readonly kind: "captured"; readonly picture: SentImage }
  | {
      readonly kind: "picked";
      readonly element: Omit<PickedElement, "imageIndex">;
      readonly picture?: SentImage;
    }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly message: string };
