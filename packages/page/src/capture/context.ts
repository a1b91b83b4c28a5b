import type { Guard } from "../guard.js";
import type { CallIdentity } from "../inert/call-identity.js";
import type { Masker } from "../privacy/masker.js";
import type { Emit } from "../telemetry.js";

/** What every kind of capture needs. */
export interface CaptureContext {
  readonly window: Window & typeof globalThis;
  readonly emit: Emit;
  readonly guard: Guard;
  readonly masker: Masker;
  /** Names calls and events that another observer of the page may report too. */
  readonly identity: CallIdentity | undefined;
}
