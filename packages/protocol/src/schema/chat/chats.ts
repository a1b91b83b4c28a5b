import { z } from "zod";
import { CHAT_LIMITS } from "../../limits.js";
import { simpleBreakpointSchema } from "../agent/breakpoint.js";
import { countField, filledLineField, idField, isoField } from "../fields.js";
import { chatUsageSchema, runContextSchema, runMessageField, ulidField } from "./events.js";
import { pickedElementSchema, sentImageSchema } from "./pictures.js";

const titleField = z.string().max(CHAT_LIMITS.title);
const folderField = z.string().min(1).max(4_096);

const breakpointsField = z.array(simpleBreakpointSchema).max(CHAT_LIMITS.breakpoints);

/** What a provider needs to continue, and what it counted last. */
export const providerStateSchema = z.object({
  sessionId: idField.optional(),
  latestUsage: chatUsageSchema.optional(),
});

/** `meta.json` of a chat. */
export const chatMetaSchema = z.object({
  id: ulidField,
  title: titleField,
  provider: idField,
  created: isoField,
  updated: isoField,
  archived: z.boolean().optional(),
  /** The folder that the agent works in. */
  cwd: folderField,
  /** By provider: a chat can go on with another one. */
  providerState: z.record(idField, providerStateSchema),
  /** Where its agents stop. */
  breakpoints: breakpointsField.optional(),
});
export type ChatMeta = z.infer<typeof chatMetaSchema>;

/** What the HTTP API returns about a chat. */
export const chatSummarySchema = chatMetaSchema.extend({
  kind: z.literal("chat"),
  /** Sequence of the newest event; left out in lists. */
  sequence: countField.optional(),
  /** The run that has not ended. */
  runId: ulidField.optional(),
  /** The newest figures of the chat's provider. */
  usage: chatUsageSchema.optional(),
});
export type ChatSummary = z.infer<typeof chatSummarySchema>;

/** Body of `POST /v1/chats`. */
export const createChatSchema = z.strictObject({
  provider: idField.optional(),
  title: titleField.optional(),
  cwd: folderField.optional(),
  breakpoints: breakpointsField.optional(),
});
export type CreateChat = z.infer<typeof createChatSchema>;

/** Body of `PATCH /v1/chats/:id`. */
export const changeChatSchema = z.strictObject({
  title: titleField.min(1, "must not be empty").optional(),
  archived: z.boolean().optional(),
  provider: idField.optional(),
  breakpoints: breakpointsField.optional(),
});
export type ChangeChat = z.infer<typeof changeChatSchema>;

/** Body of `POST /v1/chats/:id/runs`. */
export const startRunSchema = z
  .strictObject({
    message: runMessageField,
    context: runContextSchema
      .extend({
        images: z.array(sentImageSchema).max(CHAT_LIMITS.imagesOfMessage).optional(),
        element: pickedElementSchema.optional(),
      })
      .strict()
      .optional(),
  })
  .refine(
    ({ message, context }) => message !== "" || context?.element !== undefined || context?.images?.length,
    { path: ["message"], error: "must not be empty, unless the message has pictures or an element" },
  );
export type StartRun = z.infer<typeof startRunSchema>;

/** An event of `GET /v1/chats/feed`. */
export const chatFeedEventSchema = z.discriminatedUnion("event", [
  z.object({ event: z.literal("chat.changed"), payload: chatSummarySchema }),
  z.object({ event: z.literal("chat.deleted"), payload: z.object({ id: ulidField }) }),
]);
export type ChatFeedEvent = z.infer<typeof chatFeedEventSchema>;

export const APPROVAL_DECISIONS = ["once", "always", "refuse"] as const;

/** Body of `POST /v1/chats/:id/approvals/:approvalId`. */
export const decideApprovalSchema = z.strictObject({ decision: z.enum(APPROVAL_DECISIONS) });
export type ApprovalDecision = z.infer<typeof decideApprovalSchema>["decision"];

/** `chat-approvals.json`, and the answer to `GET /v1/chat-approvals`: the sites on which agents of chats may always act. */
export const chatApprovalsSchema = z.object({
  approvals: z.array(z.object({ origin: filledLineField, at: isoField })).max(CHAT_LIMITS.approvals),
});
export type ChatApprovals = z.infer<typeof chatApprovalsSchema>;
