import { AGENT_COMMANDS } from "@debug-bridge/protocol";
import { z } from "zod";
import { forModel } from "../answers/model-text.js";
import { defineTool } from "../tool.js";
import { maxTokensField } from "./fields.js";

export const controlTool = defineTool({
  name: "control",
  title: "Control an agent",
  description:
    "Controls another agent that is running: pause, step, resume, inspect its messages, inject one, change the input of a paused tool call, cancel it, set breakpoints, return to a checkpoint. Its events are in logs.",
  input: z.object({
    session: z.string().optional().describe("session id of the agent; optional while only one is running"),
    type: z.enum(AGENT_COMMANDS),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        "inspect {what: messages|context|tools|all}; inject_message {role, content}; set_variable {key, value}, key input.NAME sets the input of the paused call; cancel_tool {toolId}; breakpoint {action: add, on: tool|iteration|pattern|error|event, name|count|regex|event, session?, condition?, once?, deadlineMs?} or {action: list|clear|clear-all|enable|disable, id?}; checkpoint {label?}; rewind, branch {checkpoint}",
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
    const content = JSON.stringify(value ?? { done: type }, null, 1);
    const text = forModel({ content, source: "the agent", maxTokens, advice: "ask for a part of it" });
    return { text, data: { success, value } };
  },
});
