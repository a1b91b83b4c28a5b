import { type AppCommandType, BridgeError, type CommandInput } from "@debug-bridge/protocol";
import { check, commandSchema, commandSchemas } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import { withoutLimits } from "./without-limits.js";

/** The commands that `act` can send. */
export const ACTIONS = [
  ...["click", "type", "press", "select", "hover"],
  ...["scroll", "drag", "navigate", "wait_for", "call_tool"],
] as const satisfies readonly AppCommandType[];
type Action = (typeof ACTIONS)[number];

/** Fields that the connection adds. */
const WIRE_FIELDS: ReadonlySet<string> = new Set(["sessionId", "timestamp", "origin", "type", "requestId"]);

/** Words about fields that need them; the fields themselves come from the schemas of the commands. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  target: "one of ref, text, role with name, selector, id; point in CSS pixels",
  text: "to type; to wait for",
  clear: "replace the old text",
  submit: "press Enter afterwards",
  key: "such as Enter or Control+a",
  values: "options to select",
  url: "to open; part of the URL to wait for",
  source: "drag from here to target",
  idle: "wait until the network is quiet",
  name: "tool of the app to call",
  settle: "how long to wait for effects; false: do not wait",
  idempotencyKey: "run once, however often it is sent",
  instanceId: "which page of the session, the newest by default",
  timeoutMs: "how long the action may take",
  button: "left, middle or right",
  clickCount: "2 for a double click",
  modifiers: "keys to hold: Alt, Control, Meta, Shift",
  x: "scroll by this many CSS pixels to the right",
  y: "scroll by this many CSS pixels down",
  to: "scroll to top or bottom",
  waitUntil: "when a navigation counts as done",
  state: "what to wait for: visible, hidden, attached, detached, enabled",
  maxMs: "how long to wait",
  input: "input of the tool, as JSON",
};

const schemas = new Map(commandSchemas.map((schema) => [schema.shape.type.value as string, schema]));

function shapeOf(type: string): Record<string, z.core.$ZodType> {
  const entries = Object.entries(schemas.get(type)?.shape ?? {});
  return Object.fromEntries(entries.filter(([name]) => !WIRE_FIELDS.has(name)));
}

/** All fields of all actions, each optional: which of them an action takes is checked when it is run. */
export function actionFields(): Record<string, z.ZodType> {
  const found = new Map<string, z.ZodType[]>(Object.keys(DESCRIPTIONS).map((name) => [name, []]));
  for (const type of ACTIONS)
    for (const [name, field] of Object.entries(shapeOf(type)))
      found.set(name, [...(found.get(name) ?? []), withoutLimits(field)]);
  return Object.fromEntries(
    [...found].map(([name, fields]) => {
      const field = sameKind(fields) ? (fields[0] as z.ZodType) : z.union(fields as [z.ZodType, z.ZodType]);
      const text = DESCRIPTIONS[name];
      return [name, text === undefined ? field.optional() : field.optional().describe(text)];
    }),
  );
}

function sameKind(fields: readonly z.ZodType[]): boolean {
  return new Set(fields.map((field) => field.def.type)).size === 1;
}

/** The command for an action, checked with the schema of the command itself. */
export function readAction(type: Action, fields: Record<string, unknown>): CommandInput {
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
  if (!checked.ok) throw checked.error;
  const { sessionId: _session, timestamp: _time, origin: _origin, ...command } = checked.value;
  return command;
}
