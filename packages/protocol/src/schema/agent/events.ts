import { z } from "zod";
import { countField, idField, isoField, lineField, textField } from "../fields.js";
import { gapDataSchema, timelineRecordSchema } from "../timeline.js";
import { breakpointSchema } from "./breakpoint.js";

function event<Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return timelineRecordSchema.extend({ type: z.literal(type), data });
}

/** Logs of other agents may have more fields: data keeps them. */
const loose = z.looseObject;
const toolId = idField.optional();
const durationMs = z.number().min(0).optional();
const iteration = countField.optional();

/** Payloads are stored once, by content hash; an event refers to one by this. */
export const blobReferenceSchema = z.object({
  $blob: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: countField,
  savedAt: isoField.optional(),
});
export type BlobReference = z.infer<typeof blobReferenceSchema>;

const longText = z.union([textField, blobReferenceSchema]);

/** Every event type of an agent's `events.jsonl`. */
export const agentEventSchema = z.discriminatedUnion("type", [
  event(
    "session_start",
    loose({ provider: lineField.optional(), model: lineField.optional(), cwd: lineField.optional() }),
  ),
  event("session_end", loose({ reason: lineField.optional(), durationMs })),
  event("user_input", loose({ input: longText.optional(), content: longText.optional() })),
  event("assistant_message", loose({ content: z.unknown() })),
  event("tool_call_start", loose({ name: lineField, toolId, input: z.unknown(), iteration })),
  event(
    "tool_call_end",
    loose({ name: lineField, toolId, isError: z.boolean().optional(), durationMs, iteration }),
  ),
  event(
    "tool_result",
    loose({ name: lineField.optional(), toolId, result: z.unknown(), isError: z.boolean().optional() }),
  ),
  event(
    "api_request",
    loose({ messageCount: countField.optional(), model: lineField.optional(), iteration }),
  ),
  event("api_response", loose({ stopReason: lineField.optional(), durationMs, iteration })),
  event("subagent_start", loose({ subagent: lineField.optional(), subagentId: idField.optional() })),
  event(
    "subagent_end",
    loose({ subagent: lineField.optional(), subagentId: idField.optional(), content: z.unknown() }),
  ),
  event("context_compaction", loose({ before: countField.optional(), after: countField.optional() })),
  event("error", loose({ message: textField, context: lineField.optional() })),
  event("paused", loose({ reason: lineField.optional(), iteration })),
  event("resumed", loose({ reason: lineField.optional(), iteration })),
  event("step_complete", loose({ iteration })),
  event("command_executed", loose({ commandId: idField, type: lineField })),
  event(
    "command_response",
    loose({
      commandId: idField,
      type: lineField,
      success: z.boolean().optional(),
      error: textField.optional(),
      data: z.unknown().optional(),
    }),
  ),
  event(
    "breakpoint_hit",
    loose({ breakpoint: breakpointSchema, toolCall: z.unknown().optional(), iteration }),
  ),
  event(
    "state_snapshot",
    loose({ paused: z.boolean().optional(), waiting: lineField.optional(), iteration }),
  ),
  event("checkpoint", loose({ checkpoint: idField, label: lineField.optional(), iteration })),
  event("rewind", loose({ checkpoint: idField, iteration })),
  event("branch", loose({ checkpoint: idField, session: idField })),
  event("gap", gapDataSchema),
]);
export type AgentEvent = z.infer<typeof agentEventSchema>;
export type AgentEventType = AgentEvent["type"];
