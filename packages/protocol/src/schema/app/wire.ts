import { z } from "zod";
import { commandResultSchema } from "./results.js";
import { telemetrySchemas } from "./telemetry.js";

/** Everything that a `role=app` connection may send. What a `role=agent` connection may send is `commandSchema`. */
export const appMessageSchema = z.discriminatedUnion("type", [...telemetrySchemas, commandResultSchema]);
export type AppMessage = z.infer<typeof appMessageSchema>;
