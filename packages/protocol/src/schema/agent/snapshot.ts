import { z } from "zod";
import { countField, idField, isoField, lineField, textField } from "../fields.js";

/** An agent's state, as `inspect` answers it. */
export const stateSnapshotSchema = z.looseObject({
  timestamp: isoField,
  sessionId: idField,
  iteration: countField,
  paused: z.boolean(),
  /** Why it is paused. */
  pauseReason: lineField.optional(),
  /** The tool calls that wait, with the input that they will get. */
  held: z
    .array(
      z.looseObject({
        toolId: idField,
        name: lineField,
        input: z.unknown(),
        subagent: lineField.optional(),
        changed: z.boolean().optional(),
      }),
    )
    .optional(),
  messages: z
    .looseObject({
      count: countField,
      roles: z.record(lineField, countField),
      recent: z.array(z.object({ role: lineField, preview: textField })),
      /** All of them, in full. */
      all: z.array(z.looseObject({ role: lineField, content: z.unknown() })).optional(),
    })
    .optional(),
  context: z
    .looseObject({
      tokenEstimate: countField,
      maxTokens: countField,
      hasSummary: z.boolean(),
      summaryPreview: textField.optional(),
    })
    .optional(),
  tools: z.looseObject({ enabled: z.array(lineField), count: countField }).optional(),
  provider: z.object({ name: lineField, model: lineField }).optional(),
  workingSet: z.array(lineField).optional(),
  variables: z.record(z.string(), z.unknown()).optional(),
});
export type StateSnapshot = z.infer<typeof stateSnapshotSchema>;
