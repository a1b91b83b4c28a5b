import {
  type AppCommandType,
  BridgeError,
  type CommandInput,
  MAX_ACTIONS,
  readActionList,
} from "@debug-bridge/protocol";
import { check, commandSchema, commandSchemas } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import type { ModelField } from "../definition.js";
import { EXPLAINED, targetField } from "./fields.js";
import { withoutLimits } from "./without-limits.js";

/** The commands that `act` can send. */
export const ACTIONS = [
  ...["click", "type", "press", "select", "hover", "scroll", "drag"],
  ...["navigate", "wait_for", "dialog", "set_files", "call_tool"],
] as const satisfies readonly AppCommandType[];
type Action = (typeof ACTIONS)[number];
const isAction = (type: unknown): type is Action => (ACTIONS as readonly unknown[]).includes(type);

/** Fields that the connection adds. */
const WIRE_FIELDS: ReadonlySet<string> = new Set(["sessionId", "timestamp", "origin", "type", "requestId"]);

/** The fields of each action, for a model: the types of the fields are in the definition too. */
export const ACTION_FIELDS = [
  "click {target, button?, clickCount?, modifiers?}",
  "type {target, text, clear?, submit?}",
  "press {key: Control+a, target?}",
  "select {target, values}",
  "hover {target}",
  "scroll {target?, x?, y?, to?: top|bottom}",
  "drag {source, target}, {source, by: {x, y}} or {path: [{x, y}]}",
  "navigate {url}",
  "wait_for {target, state?: hidden|enabled}, {text}, {url}, {idle: true} or {edit: true|file, screenshots?: after|both}, with maxMs?",
  "dialog {action: accept|dismiss, text?, for?: next|all}",
  "set_files {target, files: [{name, data: base64} or {path}], drop?}",
  "call_tool {name, input}",
].join("; ");

/** Words about fields for the help of the command line; the fields themselves come from the schemas of the commands. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  text: "to type; to wait for; to enter in a prompt",
  clear: "replace the old text",
  submit: "press Enter afterwards",
  key: "such as Enter or Control+a",
  values: "options to select",
  url: "to open; part of the URL to wait for",
  source: "drag from here to target, or by a distance",
  by: "distance of a drag in CSS pixels: {x, y}",
  path: "points to drag along, in CSS pixels of the viewport: [{x, y}, ...]",
  idle: "wait until the network is quiet",
  edit: "wait for a saved file to take effect, any (true) or this one, and return what it did",
  screenshots: "with edit: pictures of the page after it, or both before and after",
  name: "tool of the app to call",
  input: "input of the tool, as JSON",
  settle: "how long to wait for effects, {quietMs, maxMs}; false: do not wait",
  timeoutMs: "how long the action may take",
  button: "left, middle or right",
  clickCount: "2 for a double click",
  modifiers: "keys to hold: Alt, Control, Meta, Shift",
  x: "scroll by this many CSS pixels to the right",
  y: "scroll by this many CSS pixels down",
  to: "scroll to top or bottom",
  waitUntil:
    "when a navigation counts as done: commit, domcontentloaded, load, networkidle0, networkidle2, settled",
  state: "what to wait for: visible, hidden, attached, detached, enabled",
  maxMs: "how long to wait",
  action: "answer to the open or the next dialog: accept or dismiss",
  for: "which dialogs the answer is for: next or all",
  files: "[{name, mimeType?, data: base64} or {path}, ...]",
  drop: "drop the files on the target instead of choosing them",
  idempotencyKey: "run once, however often it is sent",
  instanceId: "which page of the session, the newest by default",
};

/** How fields are shown to a model, other than by their type. */
const SHOWN: Readonly<Record<string, ModelField>> = {
  settle: { hidden: true },
  input: { shown: { type: "object" } },
  // A model may write true as a text.
  edit: { shown: { type: "string" } },
  // The description says what it takes.
  screenshots: { hidden: true },
  idempotencyKey: { hidden: true },
  waitUntil: { hidden: true },
  timeoutMs: { hidden: true },
  instanceId: { hidden: true },
};

const schemas = new Map(commandSchemas.map((schema) => [schema.shape.type.value as string, schema]));

function shapeOf(type: string): Record<string, z.core.$ZodType> {
  const entries = Object.entries(schemas.get(type)?.shape ?? {});
  return Object.fromEntries(entries.filter(([name]) => !WIRE_FIELDS.has(name)));
}

function isRequired(type: string, field: string): boolean {
  const schema = shapeOf(type)[field];
  return schema !== undefined && !(schema instanceof z.ZodOptional);
}

/** All fields of all actions, each optional: which of them an action takes is checked when it is run. */
export function actionFields(): Record<string, z.ZodType> {
  const found = new Map<string, z.ZodType[]>(Object.keys(DESCRIPTIONS).map((name) => [name, []]));
  for (const type of ACTIONS)
    for (const [name, field] of Object.entries(shapeOf(type)))
      found.set(name, [...(found.get(name) ?? []), withoutLimits(field)]);
  const fields = [...found].map(([name, all]) => {
    const field = sameKind(all) ? (all[0] as z.ZodType) : z.union(all);
    return [
      name,
      field
        .optional()
        .describe(DESCRIPTIONS[name] ?? "")
        .meta(SHOWN[name] ?? EXPLAINED),
    ];
  });
  const { target: _target, ...others } = Object.fromEntries(fields) as Record<string, z.ZodType>;
  return { target: targetField, ...others };
}

function sameKind(fields: readonly z.ZodType[]): boolean {
  return new Set(fields.map((field) => field.def.type)).size === 1;
}

export const actionsField = z
  .array(z.record(z.string(), z.unknown()))
  .max(MAX_ACTIONS)
  .optional()
  .describe("several actions instead of one, each with its type and fields; the first failure ends the list")
  .meta(EXPLAINED);

/** The input of `act` without what is not about the action. */
export interface ActInput {
  readonly type?: string | undefined;
  readonly actions?: readonly Record<string, unknown>[] | undefined;
  readonly [field: string]: unknown;
}

/** The commands of a call: of one action, or of a list. All are checked before any is run. */
export function readActions({ type, actions, ...fields }: ActInput): CommandInput[] {
  if (actions === undefined) return [readAction(type, fields)];
  const extra = Object.keys(fields).find((name) => fields[name] !== undefined);
  if (type !== undefined || extra !== undefined) {
    const field = type !== undefined ? "type" : (extra as string);
    throw new BridgeError("invalid_message", `"${field}" is beside actions; put it into each of them`, {
      field,
    });
  }
  return readActionList(actions, (action) => {
    const { type: each, ...own } = action as Record<string, unknown>;
    return readAction(each, own);
  });
}

/** The command for an action, checked with the schema of the command itself. */
export function readAction(type: unknown, fields: Record<string, unknown>): CommandInput {
  if (!isAction(type)) {
    const what = type === undefined ? "an action needs a type" : `unknown action ${JSON.stringify(type)}`;
    throw new BridgeError("invalid_message", `${what}; use one of ${ACTIONS.join(", ")}`, { field: "type" });
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const known = Object.keys(shapeOf(type));
  const unknown = given.find(([name]) => !known.includes(name));
  if (unknown) {
    throw new BridgeError(
      "invalid_message",
      `${type} does not take "${unknown[0]}"; it takes ${known.join(", ")}`,
      { field: unknown[0] },
    );
  }
  const wire = { sessionId: "act", timestamp: 0, origin: "agent" };
  const checked = check(commandSchema, { ...Object.fromEntries(given), type, ...wire });
  const field = checked.ok ? undefined : checked.error.details?.field;
  if (typeof field === "string" && isRequired(type, field) && fields[field] === undefined)
    throw new BridgeError("invalid_message", `${type} needs "${field}"`, { field });
  if (!checked.ok) throw checked.error;
  const { sessionId: _session, timestamp: _time, origin: _origin, ...command } = checked.value;
  return command;
}
