import { z } from "zod";
import { CHAT_LIMITS } from "../../limits.js";
import { countField, idField, isoField } from "../fields.js";
import { chatUsageSchema, runContextSchema, runMessageField, ulidField } from "./events.js";

const titleField = z.string().max(CHAT_LIMITS.title);
const folderField = z.string().min(1).max(4_096);

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
});
export type ChatMeta = z.infer<typeof chatMetaSchema>;

/** What the HTTP API returns about a chat. */
export const chatSummarySchema = chatMetaSchema.extend({
  kind: z.literal("chat"),
  /** Sequence of the newest event; left out in lists. */
  sequence: countField.optional(),
  /** The run that is going on. */
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
});
export type CreateChat = z.infer<typeof createChatSchema>;

/** Body of `PATCH /v1/chats/:id`. */
export const changeChatSchema = z.strictObject({
  title: titleField.min(1, "must not be empty").optional(),
  archived: z.boolean().optional(),
  provider: idField.optional(),
});
export type ChangeChat = z.infer<typeof changeChatSchema>;

/** Body of `POST /v1/chats/:id/runs`. */
export const startRunSchema = z.strictObject({
  message: runMessageField,
  context: runContextSchema.optional(),
});
export type StartRun = z.infer<typeof startRunSchema>;
