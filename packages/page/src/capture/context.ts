import type { Guard } from "../guard.js";
import type { Masker } from "../mask.js";
import type { Emit } from "../telemetry.js";

/** What every kind of capture needs. */
export interface CaptureContext {
  readonly window: Window & typeof globalThis;
  readonly emit: Emit;
  readonly guard: Guard;
  readonly masker: Masker;
}
