import { AGENT_COMMANDS } from "@debug-bridge/protocol";
import { z } from "zod";
import { forModel } from "../answers/model-text.js";
import { EXPLAINED, rareMaxTokensField } from "../input/fields.js";
import { defineTool } from "../tool.js";

export const controlTool = defineTool({
  name: "control",
  description:
    "Controls another running agent; its events are in logs. type: pause, resume, step, or with data: inspect {what: messages|context|tools|all}; inject_message {role, content}; set_variable {key, value}, key input.NAME changes the paused call; cancel_tool {toolId}; breakpoint {action: add|list|clear|clear-all|enable|disable, id?, on: tool|iteration|pattern|error|event, name?, count?, regex?, event?}; checkpoint {label?}; rewind, branch {checkpoint}",
  input: z.object({
    session: z
      .string()
      .optional()
      .describe("session id of the agent; optional while only one is running")
      .meta(EXPLAINED),
    type: z.enum(AGENT_COMMANDS).describe("what to do").meta(EXPLAINED),
    data: z.record(z.string(), z.unknown()).optional().describe("what the type needs").meta(EXPLAINED),
    maxTokens: rareMaxTokensField,
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
