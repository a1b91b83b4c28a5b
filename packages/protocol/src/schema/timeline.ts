import { z } from "zod";
import { countField, idField, isoField, lineField } from "./fields.js";

/** One event of any session. `sequence` counts up by one per session, without holes. */
export const timelineRecordSchema = z.object({
  type: lineField.min(1),
  timestamp: isoField,
  sessionId: idField,
  sequence: z.int().min(1),
  /** Sequence of the `command` record that caused it, where that is known. */
  causedBy: z.int().min(1).optional(),
  /** Origin of the page that it is from, where that is known. */
  origin: lineField.optional(),
  /** The page load that it is from, where that is known. */
  instanceId: idField.optional(),
  data: z.unknown(),
});

export type TimelineRecord = z.infer<typeof timelineRecordSchema>;

/** `data` of a `gap` record: something was dropped, how much, and why. */
export const gapDataSchema = z.object({
  dropped: z.int().min(1),
  reason: lineField,
  /** First and last of the numbers that are missing, where they had numbers. */
  from: countField.optional(),
  to: countField.optional(),
});

export type GapData = z.infer<typeof gapDataSchema>;

/** A gap in a session's timeline. */
export const gapRecordSchema = timelineRecordSchema.extend({ type: z.literal("gap"), data: gapDataSchema });

export type GapRecord = z.infer<typeof gapRecordSchema>;
