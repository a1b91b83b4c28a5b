import { z } from "zod";
import { CHAT_LIMITS } from "../../limits.js";
import { countField, filledLineField, idField, isoField, lineField } from "../fields.js";
import { chatImageSchema, pickedElementSchema } from "./pictures.js";

/** A ULID: 26 characters of Crockford's base 32, the time first. */
export const ulidField = z
  .string()
  .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be a ULID such as "01JAB3W7ZZ0000000000000000"');

/** Tokens as the provider counted them. A figure that the provider does not report is left out. */
export const chatUsageSchema = z.object({
  inputTokens: countField.optional(),
  outputTokens: countField.optional(),
  cachedInputTokens: countField.optional(),
  reasoningTokens: countField.optional(),
  /** How many tokens the last request to the model had. */
  contextTokens: countField.optional(),
  /** How many tokens the model's context holds. */
  contextWindow: countField.optional(),
});
export type ChatUsage = z.infer<typeof chatUsageSchema>;

/** What the person had in front when the run started. */
export const runContextSchema = z.object({
  /** The session that tools work in when the agent names none. */
  session: idField.optional(),
  /** Text that the person selected in the page. It reaches the agent as page content. */
  selection: z.string().max(CHAT_LIMITS.detail).optional(),
  /** Address of the page with the selection. */
  url: lineField.optional(),
});
export type RunContext = z.infer<typeof runContextSchema>;

export const RUN_STEP_KINDS = ["tool", "command", "file", "agent", "notice"] as const;
export const RUN_STEP_STATUSES = ["running", "done", "failed"] as const;

export const APPROVAL_STATUSES = ["waiting", "allowed", "refused"] as const;

/** Empty when the person only shows something: pictures, or an element. */
const message = z.string().max(CHAT_LIMITS.message);

function event<Name extends string, Payload extends z.ZodRawShape>(name: Name, payload: Payload) {
  return z.object({
    event: z.literal(name),
    runId: ulidField,
    /** The chat. */
    sessionId: ulidField,
    /** Counts up by one per chat. */
    sequence: countField.min(1),
    timestamp: isoField,
    payload: z.object(payload),
  });
}

/** Everything that happens in a chat: the lines of `transcript.jsonl`, and the events of `/events`. */
export const runEventSchema = z.discriminatedUnion("event", [
  event("run.started", {
    message,
    provider: idField,
    context: runContextSchema.optional(),
    /** The pictures that the person sent with the message. */
    images: z.array(chatImageSchema).max(CHAT_LIMITS.imagesOfMessage).optional(),
    /** The element that the person picked in the page. */
    element: pickedElementSchema.pick({ ref: true, name: true, source: true }).optional(),
    /** The provider's thread that is continued. */
    resumeSessionId: idField.optional(),
  }),
  /** A piece of the agent's answer. */
  event("run.delta", { text: z.string().max(CHAT_LIMITS.delta) }),
  /** A tool call, a command, or something that the person should know. A step with the same id replaces the earlier one. */
  event("run.step", {
    id: idField,
    kind: z.enum(RUN_STEP_KINDS),
    title: z.string().max(CHAT_LIMITS.title),
    status: z.enum(RUN_STEP_STATUSES),
    detail: z.string().max(CHAT_LIMITS.detail).optional(),
    /** The pictures that the tool returned. */
    images: z.array(chatImageSchema).max(CHAT_LIMITS.imagesOfChat).optional(),
  }),
  /**
   * The agent wants to act on a site for which the person was not asked yet: the run waits for the answer. An event with
   * the same id replaces the earlier one.
   */
  event("run.approval", {
    id: ulidField,
    origin: filledLineField,
    /** The session with the page of that site. */
    sessionId: idField,
    /** What it wants to do, in plain words. */
    action: lineField,
    status: z.enum(APPROVAL_STATUSES),
  }),
  event("run.usage", { provider: idField, usage: chatUsageSchema }),
  /** The provider's own thread, with which the next run continues. */
  event("run.provider_session", { provider: idField, sessionId: idField }),
  event("run.error", { code: filledLineField, message: z.string().max(CHAT_LIMITS.detail) }),
  /** The run ended before the agent was done: the person stopped it, or its hub ended. */
  event("run.stopped", { reason: z.enum(["person", "interrupted"]) }),
  event("run.finished", { outcome: z.enum(["done", "failed"]) }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;
export type RunEventName = RunEvent["event"];
export { message as runMessageField };
