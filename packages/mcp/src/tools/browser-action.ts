import { browserActionDefinition as definition } from "@debug-bridge/protocol/schemas";
import { defineTool } from "../tool.js";

/** The definition that the runner has too, offered beside the others. */
export const browserActionTool = defineTool({
  name: definition.name,
  title: definition.title,
  description: definition.description,
  input: definition.inputSchema,
  readOnly: false,
  async run({ instruction }, bridge) {
    const { content, isError } = await bridge.browserAction(instruction);
    return {
      text: content.flatMap((each) => (each.type === "text" ? [each.text] : [])).join("\n"),
      images: content.flatMap((each) => (each.type === "image" ? [each] : [])),
      isError,
    };
  },
});
