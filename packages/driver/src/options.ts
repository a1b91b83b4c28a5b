import type { SessionKind } from "@debug-bridge/protocol";
import type { EffectsOptions } from "./effects/outside-effects.js";
import type { PageNumbers } from "./engine/page-numbers.js";

export interface DriveOptions extends EffectsOptions {
  /** The page is new and empty and is navigated next, so nothing needs to be injected into the current document. */
  readonly fresh?: boolean;
  /** Lets agents run code in the page. Off unless set. */
  readonly enableEval?: boolean;
  /** Reports bodies of requests and responses, masked and cut. Off unless set. */
  readonly captureBodies?: boolean;
  /** While the page is recorded, its random numbers come from a known seed. Off unless set. */
  readonly seedRandom?: boolean;
  /**
   * Who answers `alert`, `confirm` and the like: the bridge always (in a launched browser), or only while one of its own
   * commands runs, so that a person's dialogs stay theirs.
   */
  readonly dialogs?: "always" | "own";
  /** Brings the page to the front before a picture is taken: Chrome draws no page in the background. Off unless set. */
  readonly mayRaise?: boolean;
  /** Lets agents open files of this machine as pages. Off unless set. */
  readonly allowFiles?: boolean;
  /** Pass the same ones when a page is driven again, so that no ref of before means something else. */
  readonly numbers?: PageNumbers;
}

export interface ConnectOptions {
  readonly sessionId: string;
  readonly kind: SessionKind;
  readonly appName?: string;
}
