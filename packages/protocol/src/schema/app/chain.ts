import { z } from "zod";
import { CHAIN_LIMITS } from "../../limits.js";
import { countField, epochField, idField, lineField, urlField } from "../fields.js";
import { fromAgent } from "./base.js";

/** A place in running code. Lines and columns count from 1. */
export const chainFrameSchema = z.object({
  name: lineField.optional(),
  url: urlField,
  line: countField,
  column: countField,
});
export type ChainFrame = z.infer<typeof chainFrameSchema>;

/** How a piece of code came to run. */
export const chainStepSchema = z.object({
  /** `stack` for the calls that led to the record itself, else what started them: `setTimeout`, `await`, `listener click` … */
  how: lineField,
  /** Where that was asked for, the innermost call first. */
  frames: z.array(chainFrameSchema).max(CHAIN_LIMITS.frames),
  /** When it was asked for, by the clock of the page. */
  at: epochField.optional(),
  /** The request whose answer it is; the `id` of its `network` records. */
  request: idField.optional(),
  /** How many listeners with the same code the element has for this event, when it is more than one. */
  times: z.int().min(2).optional(),
});
export type ChainStep = z.infer<typeof chainStepSchema>;

/** From the record back to what started its code, as far as that is known. */
export const chainField = z.array(chainStepSchema).max(CHAIN_LIMITS.steps).optional();

/** Has a page add chains to what it reports, for so long. 0 ends it. */
export const keepChainsSchema = fromAgent("keep_chains", {
  forMs: z.number().min(0).max(CHAIN_LIMITS.keptMs),
});
