import { z } from "zod";
import { CHAT_LIMITS } from "../../limits.js";
import { countField, idField, lineField } from "../fields.js";

/** What every breakpoint may carry besides its condition. */
const options = {
  /** An expression over the event, such as `input.path == "package.json"`. */
  condition: lineField.optional(),
  /** Stops at this hit and the later ones. */
  hitCount: z.int().min(1).max(1_000_000).optional(),
  /** Removes itself after the first stop. */
  once: z.boolean().optional(),
  /** Resumes automatically after this many milliseconds. */
  deadlineMs: z.int().min(1).max(86_400_000).optional(),
} as const;

/** The name of a tool; `*` is every tool, and a name without its MCP server is that tool of any server. */
const toolField = lineField.min(1);
const onTool = z.object({ on: z.literal("tool"), name: toolField, ...options });
const onIteration = z.object({ on: z.literal("iteration"), count: z.int().min(1), ...options });
const onPattern = z.object({ on: z.literal("pattern"), regex: z.string().min(1).max(1_000), ...options });
const onError = z.object({ on: z.literal("error"), ...options });
/** An event of any session: "when the app logs an error", "when POST /orders is sent". */
const onEvent = z.object({
  on: z.literal("event"),
  event: lineField.min(1),
  session: idField.optional(),
  regex: z.string().min(1).max(1_000).optional(),
  ...options,
});

export const breakpointSpecSchema = z.discriminatedUnion("on", [
  onTool,
  onIteration,
  onPattern,
  onError,
  onEvent,
]);
export type BreakpointSpec = z.infer<typeof breakpointSpecSchema>;

/** The breakpoints that a person sets in a chat. */
export const simpleBreakpointSchema = z.discriminatedUnion("on", [
  z.strictObject({ on: z.literal("tool"), name: toolField.max(200) }),
  z.strictObject({ on: z.literal("error") }),
]);
export type SimpleBreakpoint = z.infer<typeof simpleBreakpointSchema>;

/** A breakpoint as the debugger keeps and reports it. */
export const breakpointSchema = z.object({
  id: idField,
  type: z.enum(["tool", "iteration", "pattern", "error", "event"]),
  /** The tool's name, the iteration, the pattern or the event. */
  condition: z.union([lineField, z.number()]),
  enabled: z.boolean().optional(),
  hits: countField.optional(),
  spec: breakpointSpecSchema.optional(),
  /** Who set it with `replace`. */
  group: idField.optional(),
});
export type Breakpoint = z.infer<typeof breakpointSchema>;

const add = { action: z.literal("add") } as const;

/** `data` of a `breakpoint` command. */
export const breakpointCommandDataSchema = z.union([
  z.discriminatedUnion("on", [
    onTool.extend(add),
    onIteration.extend(add),
    onPattern.extend(add),
    onError.extend(add),
    onEvent.extend(add),
  ]),
  z.discriminatedUnion("action", [
    z.object({ action: z.literal("list") }),
    /** Sets the breakpoints of a group; those of others stay. */
    z.object({
      action: z.literal("replace"),
      group: idField,
      breakpoints: z.array(simpleBreakpointSchema).max(CHAT_LIMITS.breakpoints),
    }),
    z.object({ action: z.literal("clear"), id: idField }),
    z.object({ action: z.literal("clear-all") }),
    z.object({ action: z.literal("enable"), id: idField }),
    z.object({ action: z.literal("disable"), id: idField }),
  ]),
]);
export type BreakpointCommandData = z.infer<typeof breakpointCommandDataSchema>;
