import { z } from "zod";
import { FIELD_LIMITS } from "../../limits.js";
import { countField, durationField, epochField, idField, lineField, textField, urlField } from "../fields.js";

/** Longer texts are cut where they are translated, not refused: this SDK does not limit what it sends. */
const anyText = z.string();

/** Makes the schema of a message that the SDK `debug-bridge-browser` 0.2 sends: it has no `origin`. */
function fromDialect<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({
    protocolVersion: z.literal(1),
    sessionId: idField,
    timestamp: epochField,
    origin: z.never().optional(),
    type: z.literal(type),
    ...shape,
  });
}

/** The first message of a connection, by which the dialect is recognised. */
export const dialectHelloSchema = fromDialect("hello", {
  appName: lineField.optional(),
  appVersion: lineField.optional(),
  url: urlField,
  userAgent: lineField,
  viewport: z.object({ width: z.number(), height: z.number() }),
});

const nodeSchema = z.object({
  type: lineField.optional(),
  tagName: lineField.optional(),
  html: textField.optional(),
});

const mutationSchema = z.object({
  mutationType: z.enum(["childList", "attributes", "characterData"]),
  targetSelector: anyText,
  attributeName: lineField.optional(),
  addedNodes: z.array(nodeSchema).optional(),
  removedNodes: z.array(nodeSchema).optional(),
});

/** The SDK reads these from properties, which an app's own elements may define as anything. */
const loose = z.unknown().optional();

export const dialectItemSchema = z.object({
  stableId: anyText,
  selector: anyText,
  role: anyText,
  text: loose,
  label: loose,
  disabled: z.boolean().optional(),
  visible: z.boolean().optional(),
  checked: loose,
  value: loose,
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type DialectItem = z.infer<typeof dialectItemSchema>;

const errorObject = z.object({
  code: z.union([z.string(), z.number()]).optional(),
  message: anyText.optional(),
});

const replied = { requestId: idField.optional() } as const;

export const dialectMessageSchema = z.discriminatedUnion("type", [
  dialectHelloSchema,
  fromDialect("capabilities", { capabilities: z.array(lineField).max(200) }),
  fromDialect("dom_snapshot", { ...replied, html: anyText }),
  fromDialect("dom_mutations", { mutations: z.array(mutationSchema) }),
  fromDialect("ui_tree", { ...replied, items: z.array(dialectItemSchema) }),
  fromDialect("console", {
    level: z.enum(["log", "info", "warn", "error", "debug"]),
    args: z.array(anyText.nullable()).max(FIELD_LIMITS.consoleArgs),
  }),
  fromDialect("error", {
    errorType: z.enum(["runtime", "unhandledrejection"]),
    message: anyText.optional(),
    stack: loose,
    filename: urlField.optional(),
    lineno: countField.optional(),
    colno: countField.optional(),
  }),
  fromDialect("state_update", { scope: lineField.min(1), state: loose }),
  fromDialect("screenshot", { ...replied, data: anyText, error: errorObject.optional() }),
  fromDialect("network_request", {
    requestId: idField,
    method: lineField,
    url: urlField,
    initiator: z.enum(["fetch", "xhr"]).optional(),
  }),
  fromDialect("network_response", {
    requestId: idField,
    status: countField,
    statusText: lineField.optional(),
    duration: durationField.optional(),
  }),
  fromDialect("navigation", {
    url: urlField,
    previousUrl: urlField.optional(),
    trigger: z.enum(["pushstate", "popstate", "replacestate", "hashchange", "initial"]),
  }),
  fromDialect("command_result", {
    ...replied,
    requestType: lineField.optional(),
    success: z.boolean(),
    error: errorObject.optional(),
    result: loose,
    duration: durationField.optional(),
  }),
]);
export type DialectMessage = z.infer<typeof dialectMessageSchema>;
export type DialectMessageOf<Type extends DialectMessage["type"]> = Extract<DialectMessage, { type: Type }>;
