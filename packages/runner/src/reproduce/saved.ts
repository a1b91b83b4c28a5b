import type { Failure, Recording, Step } from "./recording/types.js";

/** What `reproduction.json` holds: enough to replay the fewest steps again. */
export interface SavedReproduction {
  readonly version: 1;
  readonly recording: Omit<Recording, "steps" | "failures">;
  readonly failure: Failure;
  readonly steps: readonly Step[];
  readonly timed: boolean;
  readonly network: "recorded" | "live";
  readonly rate: { readonly failed: number; readonly of: number };
}
