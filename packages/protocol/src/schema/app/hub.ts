import { z } from "zod";
import { countField, idField, lineField, textField } from "../fields.js";
import { fromHub } from "./base.js";
import { hubResultSchema } from "./results.js";

/** To an app that sent `hello`: how far its messages were received, so that it resends the rest. */
export const welcomeSchema = fromHub("welcome", {
  serverVersion: lineField,
  instanceId: idField.optional(),
  /** 0 when nothing of this page load is known. */
  lastSeq: countField,
  /** How many agents are attached now. */
  agents: countField,
  /** True when every attached agent understands `ui_tree_delta`; else apps must send whole trees. */
  deltas: z.boolean().optional(),
});

/** To apps: how many agents are attached, whenever that changes. */
export const agentsChangedSchema = fromHub("agents_changed", {
  agents: countField,
  deltas: z.boolean().optional(),
});

/** To agents: whether an app is connected. */
export const sessionStatusSchema = fromHub("session_status", {
  status: z.enum(["connected", "disconnected"]),
  apps: countField,
});

/** To agents that asked for it: other sessions are connected, another tab is in front, or another session was used last. */
export const sessionsChangedSchema = fromHub("sessions_changed", {});

/** To the sender of something that the wire does not allow. */
export const bridgeErrorSchema = fromHub("bridge_error", {
  code: lineField,
  message: textField,
  details: z.looseObject({ field: lineField.optional() }).optional(),
});

/** To an agent that reads too slowly: what it did not get. */
export const hubGapSchema = fromHub("gap", { dropped: z.int().min(1), reason: lineField });

export const hubMessageSchemas = [
  welcomeSchema,
  agentsChangedSchema,
  sessionStatusSchema,
  sessionsChangedSchema,
  bridgeErrorSchema,
  hubGapSchema,
  hubResultSchema,
] as const;

export const hubMessageSchema = z.discriminatedUnion("type", hubMessageSchemas);
export type HubMessage = z.infer<typeof hubMessageSchema>;
