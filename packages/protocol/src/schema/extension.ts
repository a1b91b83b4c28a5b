import { z } from "zod";
import { idField, lineField, textField, urlField } from "./fields.js";

const tabId = z.int().min(0);
const sessionId = idField;
const cdpMethod = z
  .string()
  .max(256)
  .regex(/^[A-Za-z]+\.[A-Za-z]+$/, 'must be a CDP method such as "Page.enable"');
const cdpParams = z.record(z.string(), z.unknown());
const requestId = z.int().min(1);

function command<Method extends string, Params extends z.ZodType>(method: Method, params: Params) {
  return z.object({ id: requestId, method: z.literal(method), params });
}

export const listTabsSchema = command("listTabs", z.object({}).optional());
export const attachTabSchema = command("attachTab", z.object({ tabId, sessionId }));
export const detachTabSchema = command("detachTab", z.object({ tabId }));
export const createTabSchema = command("createTab", z.object({ url: urlField, sessionId }));
export const closeTabSchema = command("closeTab", z.object({ tabId }));
export const cdpCommandSchema = command(
  "cdpCommand",
  z.object({ tabId, method: cdpMethod, params: cdpParams.optional(), childSessionId: idField.optional() }),
);
/** Keepalive, every 5 seconds. Answered by `pong`, so it has no id. */
export const extensionPingSchema = z.object({ method: z.literal("ping") });

/** What the relay sends to the extension. */
export const extensionCommandSchema = z.discriminatedUnion("method", [
  listTabsSchema,
  attachTabSchema,
  detachTabSchema,
  createTabSchema,
  closeTabSchema,
  cdpCommandSchema,
  extensionPingSchema,
]);
export type ExtensionCommand = z.infer<typeof extensionCommandSchema>;

/** A tab as `listTabs` and `createTab` report it. */
export const extensionTabSchema = z.object({
  tabId,
  url: urlField,
  title: textField,
  active: z.boolean().optional(),
  /** The id that CDP gives the tab; known without attaching. */
  targetId: idField.optional(),
  attached: z.boolean().optional(),
});
export type ExtensionTab = z.infer<typeof extensionTabSchema>;

function event<Method extends string, Params extends z.ZodRawShape>(method: Method, params: Params) {
  return z.object({ method: z.literal(method), params: z.object(params) });
}

export const cdpEventSchema = event("cdpEvent", {
  tabId,
  method: cdpMethod,
  params: cdpParams.optional(),
  childSessionId: idField.optional(),
});
export const tabDetachedSchema = event("tabDetached", { tabId, reason: lineField });
export const tabUpdatedSchema = event("tabUpdated", {
  tabId,
  url: urlField.optional(),
  title: textField.optional(),
});
export const extensionPongSchema = z.object({ method: z.literal("pong") });

/** What the extension reports by itself. */
export const extensionEventSchema = z.discriminatedUnion("method", [
  cdpEventSchema,
  tabDetachedSchema,
  tabUpdatedSchema,
  extensionPongSchema,
]);
export type ExtensionEvent = z.infer<typeof extensionEventSchema>;

/** The extension's answer to a command with an id: exactly one of `result` and `error`. */
export const extensionResponseSchema = z.union([
  z.object({ id: requestId, error: textField }),
  z.object({ id: requestId, result: z.unknown() }).refine((response) => "result" in response, {
    path: ["result"],
    message: "a response has a result or an error",
  }),
]);
export type ExtensionResponse = z.infer<typeof extensionResponseSchema>;

/** Anything that the extension may send. */
export const extensionMessageSchema = z.union([extensionEventSchema, extensionResponseSchema]);
export type ExtensionMessage = z.infer<typeof extensionMessageSchema>;
