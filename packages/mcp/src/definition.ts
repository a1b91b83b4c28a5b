import { isJsonObject } from "@debug-bridge/protocol";
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Tool } from "./tool.js";

/** Limits on length and range, which the tool checks itself: a model pays for every word of a definition. */
const LIMITS: ReadonlySet<string> = new Set([
  ...["$schema", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"],
  ...["additionalProperties", "propertyNames"],
]);

type JsonSchema = Readonly<Record<string, unknown>>;

/** How a field is shown to a model, where its own schema would be longer than what a model needs. */
export interface ModelField extends Record<string, unknown> {
  /** Instead of the field's schema. */
  readonly shown?: JsonSchema;
  /** The description of a tool explains the field; only its type is shown. */
  readonly explained?: boolean;
  /** Only for programs and rare cases: the docs explain it. */
  readonly hidden?: boolean;
}

/** The input of a tool as JSON Schema: what a model needs to call it, in few words. */
export function modelSchema({ input }: Pick<Tool, "input">): JsonSchema {
  const { properties = {}, ...rest } = z.toJSONSchema(input, { io: "input" }) as JsonSchema & ModelField;
  const fields = Object.entries(properties as Record<string, JsonSchema & ModelField>)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, field]) => [name, shownField(field)]);
  return { ...withoutLimits(rest), properties: Object.fromEntries(fields) };
}

function shownField({ shown, explained, ...schema }: JsonSchema & ModelField): JsonSchema {
  if (shown) return shown;
  const { type, items } = schema as { type?: unknown; items?: { type?: unknown } };
  if (!explained) return withoutLimits(schema);
  return { type, ...(items ? { items: { type: items.type ?? "object" } } : {}) };
}

function withoutLimits(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([name]) => !LIMITS.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isJsonObject(value) ? withoutLimits(value) : value]),
  );
}

/** What clients show about a tool. One that is not marked counts as one that changes something. */
export function annotationsOf({ readOnly, isDestructive }: Tool): { annotations?: Record<string, boolean> } {
  if (isDestructive) return { annotations: { destructiveHint: true } };
  return readOnly ? { annotations: { readOnlyHint: true } } : {};
}

/** The schema that the MCP server validates with and shows. */
export function toolSchema(tool: Tool): StandardSchemaWithJSON {
  const { vendor, validate } = tool.input["~standard"];
  const schema = modelSchema(tool);
  const jsonSchema = { input: () => schema, output: () => schema };
  return { "~standard": { version: 1, vendor, validate, jsonSchema } };
}
