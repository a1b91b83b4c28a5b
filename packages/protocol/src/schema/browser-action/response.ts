import { z } from "zod";
import { ERROR_CODES } from "../../errors.js";
import { blobField, countField, idField, isoField, lineField, textField, urlField } from "../fields.js";
import { receiptSchema } from "../receipt.js";
import { LOG_TYPES } from "./config.js";

/** A screenshot as model providers in Anthropic's form take it; our own form for all of them. */
export const imageContentSchema = z.object({
  type: z.literal("image"),
  source: z.object({
    type: z.literal("base64"),
    media_type: z.literal("image/jpeg"),
    data: blobField.regex(/^[A-Za-z0-9+/]*={0,2}$/, "must be base64"),
  }),
});
export type ImageContent = z.infer<typeof imageContentSchema>;

export const logSchema = z.object({
  type: z.enum(LOG_TYPES),
  message: textField,
  timestamp: z.number().min(0),
  /** `tool`: written by the runner, kept in histories. `browser`: captured in the page, dropped from them. */
  source: z.enum(["tool", "browser"]),
  category: z.enum(["network", "javascript", "console", "resource", "automation", "loading"]).optional(),
  /** 0 verbose … 4 error. */
  severity: z.int().min(0).max(4).optional(),
  stack: textField.optional(),
  location: z.object({ url: urlField, line: countField, column: countField }).optional(),
});
export type Log = z.infer<typeof logSchema>;

const milliseconds = z.number().min(0).optional();

export const metricsSchema = z.object({
  ttfb: milliseconds,
  fcp: milliseconds,
  lcp: milliseconds,
  domContentLoaded: milliseconds,
  loadTime: milliseconds,
  /** Bytes of JavaScript heap in use. */
  memoryUsage: countField.optional(),
  sessionDuration: z.number().min(0),
  jsErrors: countField,
  networkErrors: countField,
});
export type Metrics = z.infer<typeof metricsSchema>;

const headersField = z.record(z.string(), textField);

export const networkEventSchema = z.object({
  requestId: idField,
  url: urlField,
  method: lineField,
  resourceType: lineField.optional(),
  status: countField.optional(),
  durationMs: milliseconds,
  bytes: countField.optional(),
  /** Why it failed, in Chrome's words. */
  errorText: lineField.optional(),
  /** Only with `networkDetails`: masked and cut. */
  requestHeaders: headersField.optional(),
  responseHeaders: headersField.optional(),
  requestBody: textField.optional(),
  responseBody: textField.optional(),
  timestamp: z.number().min(0),
});
export type NetworkEvent = z.infer<typeof networkEventSchema>;

/** The state of the diagnostic loop over the life of a browser. */
export const loopStateSchema = z.object({
  /** JavaScript and network errors and failed actions together. */
  totalErrors: countField,
  /** Failed actions in a row. */
  consecutiveErrors: countField,
  jsErrors: countField,
  networkErrors: countField,
  failedActions: countField,
  actions: countField,
  sessionDurationMs: z.number().min(0),
  lastAction: z.object({ type: lineField, success: z.boolean(), at: isoField }).optional(),
});
export type LoopState = z.infer<typeof loopStateSchema>;

/** What `browser_action` answers. */
export const browserResponseSchema = z.object({
  success: z.boolean(),
  error: z
    .object({
      code: z.enum(ERROR_CODES),
      message: textField,
      /** What to do about it. */
      hint: textField.optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  logs: z.array(logSchema),
  metrics: metricsSchema.optional(),
  networkEvents: z.array(networkEventSchema),
  screenshots: z
    .object({ pre: imageContentSchema.optional(), post: imageContentSchema.optional() })
    .optional(),
  receipt: receiptSchema.optional(),
  /** What an action yields: an evaluated value, the diagnosis, how a click was chosen. */
  result: z.unknown().optional(),
  /** The state of the diagnostic loop after this action. */
  state: loopStateSchema.optional(),
  /** What to try next, the most promising first. */
  next: z.array(textField).max(10).optional(),
  /** Why the browser was shut down after this action. */
  shutdown: textField.optional(),
  sessionId: idField.optional(),
  finishedAt: isoField.optional(),
});
export type BrowserResponse = z.infer<typeof browserResponseSchema>;
