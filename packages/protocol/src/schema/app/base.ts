import { z } from "zod";
import { countField, epochField, idField } from "../fields.js";

/** What every message of the app wire carries. */
const shared = {
  sessionId: idField,
  timestamp: epochField,
} as const;

/** Makes the schema of a message that an app sends. */
export function fromApp<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({
    ...shared,
    origin: z.literal("app"),
    type: z.literal(type),
    /** Counts the messages of one page load, so that a resumed connection neither loses nor repeats any. */
    seq: countField.optional(),
    ...shape,
  });
}

/** Makes the schema of a command that an agent sends. */
export function fromAgent<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({
    ...shared,
    origin: z.literal("agent"),
    type: z.literal(type),
    /** Comes back in the `command_result`. */
    requestId: idField.optional(),
    /** The same key runs once, however often it is sent. */
    idempotencyKey: idField.optional(),
    /** Only the page load with this `instanceId`, or `newest`; every app of the session when left out. */
    instanceId: idField.optional(),
    /** After this many milliseconds the answer is `timeout`. */
    timeoutMs: z.number().min(1).max(600_000).optional(),
    ...shape,
  });
}

/** Makes the schema of a message that the hub itself sends. Peers of version 1 that know only apps ignore it. */
export function fromHub<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ ...shared, origin: z.literal("hub"), type: z.literal(type), ...shape });
}
