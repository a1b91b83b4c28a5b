import { z } from "zod";
import { CONSOLE_LIMITS, FIELD_LIMITS } from "../../limits.js";
import { CONSOLE_LEVELS, SESSION_KINDS } from "../../names.js";
import { APP_PROTOCOL_VERSION } from "../../versions.js";
import { boundedArgumentSchema } from "../console/argument.js";
import { blobField, countField, durationField, idField, lineField, textField, urlField } from "../fields.js";
import { receiptSchema } from "../receipt.js";
import { gapDataSchema } from "../timeline.js";
import { fromApp } from "./base.js";
import { chainField } from "./chain.js";
import { interactionSchema, recordingStartSchema } from "./interaction.js";
import { pickedSchema } from "./pick.js";
import { uiTreeDeltaShape, uiTreeShape } from "./ui-tree.js";

const versionField = z.literal(APP_PROTOCOL_VERSION).optional();

export const helloSchema = fromApp("hello", {
  protocolVersion: versionField,
  appName: lineField.optional(),
  appVersion: lineField.optional(),
  url: urlField,
  userAgent: lineField,
  title: lineField.optional(),
  kind: z.enum(SESSION_KINDS).optional(),
  /** One per page load. Together with `seq` it lets the hub distinguish a resumed connection from a new page. */
  instanceId: idField.optional(),
});

/** A tool that the app itself offers, called with `call_tool`. */
export const appToolSchema = z.object({
  name: idField,
  description: textField.optional(),
  /** JSON Schema of the input. */
  inputSchema: z.record(z.string(), z.unknown()).optional(),
});
export type AppTool = z.infer<typeof appToolSchema>;

export const capabilitiesSchema = fromApp("capabilities", {
  protocolVersion: versionField,
  capabilities: z.array(lineField).max(200),
  tools: z.array(appToolSchema).max(200).optional(),
});

export const domSnapshotSchema = fromApp("dom_snapshot", {
  html: blobField,
  truncated: z.boolean().optional(),
});

const nodesField = z.array(textField).max(1_000).optional();

export const domMutationSchema = z.object({
  mutationType: z.enum(["childList", "attributes", "characterData"]),
  targetSelector: lineField,
  attributeName: lineField.optional(),
  attributeValue: textField.nullable().optional(),
  addedNodes: nodesField,
  removedNodes: nodesField,
  textContent: textField.nullable().optional(),
});
export type DomMutation = z.infer<typeof domMutationSchema>;

export const domMutationsSchema = fromApp("dom_mutations", {
  mutations: z.array(domMutationSchema).max(FIELD_LIMITS.mutations),
  truncated: z.boolean().optional(),
});

export const uiTreeSchema = fromApp("ui_tree", uiTreeShape);
export const uiTreeDeltaSchema = fromApp("ui_tree_delta", uiTreeDeltaShape);

const locationSchema = z.object({ url: urlField, line: countField, column: countField });

export const consoleSchema = fromApp("console", {
  level: z.enum(CONSOLE_LEVELS),
  args: z.array(textField).max(FIELD_LIMITS.consoleArgs),
  /** The method that was called, if it is more specific than the level: `debug`, `table`, `assert` … */
  method: lineField.optional(),
  location: locationSchema.optional(),
  /** The same arguments as data, in the form of the console wire. Format specifiers are not applied. */
  values: z.array(boundedArgumentSchema).max(CONSOLE_LIMITS.args).optional(),
  /** Names this call, so that two observers of the same page do not record it twice. */
  callId: idField.optional(),
  /** How often the same line came in a row. */
  count: z.int().min(1).optional(),
  /** Only while chains are kept. */
  chain: chainField,
});

const errorShape = {
  message: textField.optional(),
  stack: textField.optional(),
  filename: urlField.optional(),
  lineno: countField.optional(),
  colno: countField.optional(),
  reason: textField.optional(),
  /** What was thrown, as data. */
  values: z.array(boundedArgumentSchema).max(CONSOLE_LIMITS.args).optional(),
  /** Names this event, so that two observers of the same page do not record it twice. */
  callId: idField.optional(),
  /** Only while chains are kept. */
  chain: chainField,
} as const;

export const errorSchema = fromApp("error", {
  ...errorShape,
  /** Set when a resource failed to load: what and from where. */
  resource: z.object({ tag: lineField, url: urlField }).optional(),
});
export const unhandledRejectionSchema = fromApp("unhandledrejection", errorShape);

export const stateUpdateSchema = fromApp("state_update", {
  scope: lineField.min(1),
  state: z.unknown(),
  /** Only while chains are kept. */
  chain: chainField,
});

export const networkSchema = fromApp("network", {
  id: idField,
  /** A response follows its request with the same id; a socket's frames follow its opening. */
  phase: z.enum(["request", "response", "failed", "open", "message", "close"]),
  api: z.enum(["fetch", "xhr", "websocket", "eventsource", "other"]),
  /** What was requested, if the browser reports it: `document`, `script`, `image` … */
  resourceType: lineField.optional(),
  method: lineField,
  url: urlField,
  status: countField.optional(),
  statusText: lineField.optional(),
  durationMs: durationField.optional(),
  requestBytes: countField.optional(),
  responseBytes: countField.optional(),
  direction: z.enum(["in", "out"]).optional(),
  /** Only when bodies were requested; masked and cut. */
  body: textField.optional(),
  /** The headers of the request or of the response, if the source knows them; secret ones are masked. */
  headers: z.record(z.string(), textField).optional(),
  /** Who made the request, if the source knows it: a script, the parser, a preload. Lines and columns count from 1. */
  initiator: z
    .object({
      type: lineField,
      url: urlField.optional(),
      line: countField.optional(),
      column: countField.optional(),
    })
    .optional(),
  /** The parts of the time, in milliseconds and in their order, if the source knows them. */
  timing: z
    .object({
      queued: durationField,
      dns: durationField,
      connect: durationField,
      tls: durationField,
      send: durationField,
      wait: durationField,
      receive: durationField,
    })
    .partial()
    .optional(),
  error: lineField.optional(),
  /** Who made the request; only while chains are kept. */
  chain: chainField,
});

export const navigationSchema = fromApp("navigation", {
  from: urlField,
  to: urlField,
  kind: z.enum(["load", "push", "replace", "pop", "hash", "unload"]),
  title: lineField.optional(),
});

export const vitalsSchema = fromApp("vitals", {
  name: z.enum(["TTFB", "FCP", "LCP", "CLS", "INP", "DCL", "load", "long_task", "self"]),
  value: z.number(),
  detail: z.record(z.string(), z.union([z.string().max(FIELD_LIMITS.line), z.number()])).optional(),
});

/** A message of the page, such as a toast, that could be seen for a while and can no longer be seen. */
export const passingTextSchema = fromApp("passing_text", {
  text: textField,
  /** How long it was there, as far as that was noticed. */
  durationMs: durationField,
});

/** What the page shows, while it is watched. The hub keeps it beside the timeline, and sends it to no agent. */
export const pagePictureSchema = fromApp("page_picture", {
  mimeType: z.literal("image/jpeg"),
  /** Base64. */
  data: blobField,
});

/** What edits of the source code did to the page, after it has settled. */
export const editEffectSchema = fromApp("edit_effect", {
  /** The ids of the edits; none when the page was loaded again and cannot know them. */
  edits: z.array(idField).max(100),
  /** Whether the page was loaded again. */
  reloaded: z.boolean().optional(),
  /** The page could not observe them: they came before its engine was loaded. */
  missed: z.boolean().optional(),
  /** How many filled fields and parts of the app's state are as before. */
  kept: countField.optional(),
  /** Names of those that are not. */
  lost: z.array(lineField).max(50).optional(),
  receipt: receiptSchema,
});

/** How the DOM changed, while the page is watched. The hub keeps it beside the timeline, and sends it to no agent. */
export const pageReplaySchema = fromApp("page_replay", {
  /** A list of events as JSON, in the format of rrweb. */
  events: blobField,
  /** They begin with the whole page. */
  isStart: z.boolean().optional(),
});

export const gapSchema = fromApp("gap", gapDataSchema.shape);

export const telemetrySchemas = [
  helloSchema,
  capabilitiesSchema,
  domSnapshotSchema,
  domMutationsSchema,
  uiTreeSchema,
  uiTreeDeltaSchema,
  consoleSchema,
  errorSchema,
  unhandledRejectionSchema,
  stateUpdateSchema,
  networkSchema,
  navigationSchema,
  vitalsSchema,
  passingTextSchema,
  pagePictureSchema,
  editEffectSchema,
  interactionSchema,
  recordingStartSchema,
  pageReplaySchema,
  pickedSchema,
  gapSchema,
] as const;

export const telemetrySchema = z.discriminatedUnion("type", telemetrySchemas);
export type Telemetry = z.infer<typeof telemetrySchema>;
export type Hello = z.infer<typeof helloSchema>;
export type Capabilities = z.infer<typeof capabilitiesSchema>;
export type ConsoleTelemetry = z.infer<typeof consoleSchema>;
export type NetworkTelemetry = z.infer<typeof networkSchema>;
export type NavigationTelemetry = z.infer<typeof navigationSchema>;
export type UiTree = z.infer<typeof uiTreeSchema>;
export type UiTreeDelta = z.infer<typeof uiTreeDeltaSchema>;
export type StateUpdate = z.infer<typeof stateUpdateSchema>;
