import { z } from "zod";
import { CONSOLE_ERROR_CODES } from "../../errors.js";
import { CONSOLE_LIMITS, CONSOLE_RATE_LIMITS } from "../../limits.js";
import { CONSOLE_METHODS } from "../../names.js";
import { countField, idField, isoField } from "../fields.js";
import { boundedArgumentSchema, safeText } from "./argument.js";

const versionField = z.string().regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/, 'must be a version such as "1.0.0"');

/** Where a message comes from: a tab, and the frame in it when it is not the main one. */
export const consoleSourceSchema = z.object({
  tabId: z.int(),
  url: safeText,
  title: safeText,
  frameId: z.int().optional(),
  frameUrl: safeText.optional(),
  /** The loaded document: `seq` counts within it, and starts again with the next one. */
  documentId: safeText.optional(),
});
export type ConsoleSource = z.infer<typeof consoleSourceSchema>;

function envelope<Type extends string, Payload extends z.ZodType>(type: Type, payload: Payload) {
  return z.object({
    version: versionField,
    type: z.literal(type),
    timestamp: isoField,
    source: consoleSourceSchema.optional(),
    payload,
  });
}

export const consoleEventSchema = envelope(
  "console_event",
  z.object({
    method: z.enum(CONSOLE_METHODS),
    /** As they were passed: readers apply format specifiers with `formatConsoleArguments`. */
    args: z.array(boundedArgumentSchema).max(CONSOLE_LIMITS.args),
    location: z.object({ url: safeText, line: countField, column: countField }).optional(),
    /** The whole stack, for `console.trace`. */
    stack: safeText.optional(),
    /** How many groups were open at the call. */
    groupDepth: z.int().min(0).max(1_000).optional(),
    /** Set for what the browser itself reports, and for uncaught errors. */
    uncaught: z.enum(["error", "rejection", "browser"]).optional(),
    /** Counts the events of one document, so that none is shown twice. */
    seq: countField.optional(),
    /** `<instanceId>:<n>` when the SDK in the page reports the same call. */
    callId: idField.optional(),
  }),
).extend({ source: consoleSourceSchema });
export type ConsoleEvent = z.infer<typeof consoleEventSchema>;

export const connectionStatusSchema = envelope(
  "connection_status",
  z.object({
    status: z.enum(["connected", "disconnected", "reconnecting"]),
    reason: safeText.optional(),
    clientInfo: z
      .object({
        extensionVersion: safeText.optional(),
        cliVersion: safeText.optional(),
        browser: safeText.optional(),
        browserVersion: safeText.optional(),
        platform: safeText.optional(),
      })
      .optional(),
  }),
);
export type ConnectionStatus = z.infer<typeof connectionStatusSchema>;

export const consoleErrorSchema = envelope(
  "error",
  z.object({
    code: z.enum(CONSOLE_ERROR_CODES),
    message: safeText,
    details: z.record(z.string(), z.unknown()).optional(),
  }),
);
export type ConsoleError = z.infer<typeof consoleErrorSchema>;

const pingPayload = z.object({ id: safeText.min(1) });
export const pingSchema = envelope("ping", pingPayload);
export const pongSchema = envelope("pong", pingPayload);

/** Any message of the console wire. */
export const consoleMessageSchema = z.discriminatedUnion("type", [
  consoleEventSchema,
  connectionStatusSchema,
  consoleErrorSchema,
  pingSchema,
  pongSchema,
]);
export type ConsoleMessage = z.infer<typeof consoleMessageSchema>;

/** One frame: a message, or a batch of them when they come fast. */
export const consoleFrameSchema = z.union([
  consoleMessageSchema,
  z.array(consoleMessageSchema).min(1).max(CONSOLE_RATE_LIMITS.batchEvents),
]);
export type ConsoleFrame = z.infer<typeof consoleFrameSchema>;
