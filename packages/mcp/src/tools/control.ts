import { AGENT_COMMANDS, fence } from "@debug-bridge/protocol";
import { z } from "zod";
import { fitStart } from "../answers/fit.js";
import { defineTool } from "../tool.js";
import { maxTokensField } from "./fields.js";

export const controlTool = defineTool({
  name: "control",
  title: "Control an agent",
  description:
    "Stops, steers and looks into another agent that runs: pause, step, resume, inspect its messages, inject one, change the input of a held tool call, cancel it, set breakpoints, go back to a checkpoint. Its events are in logs.",
  input: z.object({
    session: z.string().optional().describe("id of the agent's session; may be left out while only one runs"),
    type: z.enum(AGENT_COMMANDS),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        "inspect {what: messages|context|tools|all}; inject_message {role, content}; set_variable {key, value}, where input.NAME is of the held call; cancel_tool {toolId}; breakpoint {action: add, on: tool|iteration|pattern|error|event, name|count|regex|event, session?, condition?, once?, deadlineMs?} or {action: list|clear|clear-all|enable|disable, id?}; checkpoint {label?}; rewind, branch {checkpoint}",
      ),
    maxTokens: maxTokensField,
  }),
  readOnly: false,
  async run({ session, type, data, maxTokens }, bridge) {
    const id = await bridge.choose(session, "agent");
    const { success, value } = await bridge.hub.command(id, {
      type,
      ...(data === undefined ? {} : { data }),
    });
    const text = fitStart(
      JSON.stringify(value ?? { done: type }, null, 1),
      maxTokens,
      "ask for a part of it",
    );
    return { text: fence(text, id), data: { success, value } };
  },
});
