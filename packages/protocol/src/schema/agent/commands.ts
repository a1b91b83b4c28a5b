import { z } from "zod";
import { idField, isoField, lineField, textField } from "../fields.js";
import { breakpointCommandDataSchema } from "./breakpoint.js";

function command<Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), id: idField, data, timestamp: isoField.optional() });
}

const nothing = z.object({}).optional();
const checkpointId = z.object({ checkpoint: idField });

/** One line of `commands.jsonl`. Every command is answered by a `command_response` event. */
export const agentCommandSchema = z.discriminatedUnion("type", [
  command("pause", nothing),
  command("resume", nothing),
  command("step", nothing),
  command(
    "inspect",
    z
      .object({ what: z.enum(["messages", "context", "tools", "all"]).default("all") })
      .default({ what: "all" }),
  ),
  command("inject_message", z.object({ role: z.enum(["user", "assistant"]), content: textField.min(1) })),
  command("set_variable", z.object({ key: lineField.min(1), value: z.unknown() })),
  command("cancel_tool", z.object({ toolId: idField })),
  command("breakpoint", breakpointCommandDataSchema),
  command("checkpoint", z.object({ label: lineField.optional() }).optional()),
  command("rewind", checkpointId),
  command("branch", checkpointId),
]);
export type AgentCommand = z.infer<typeof agentCommandSchema>;
