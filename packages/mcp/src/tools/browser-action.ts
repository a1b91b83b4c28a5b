import { BROWSER_ACTIONS } from "@debug-bridge/protocol";
import { z } from "zod";
import { browserReport } from "../answers/browser-report.js";
import { forModel } from "../answers/model-text.js";
import { defineTool } from "../tool.js";
import { maxTokensField } from "./fields.js";

const description = `Debugs a web page in a Chrome that is launched for it. Takes one instruction in XML and returns one report: success or error with a hint, console logs and JavaScript errors (source-mapped), requests, timings, and a receipt of what the action caused.

<browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>

Each parameter is an element. type is one of ${BROWSER_ACTIONS.join(", ")}. Begin with start, end with stop.
Name elements by targets (patterns such as: button "Sign in" | #login), selector or ref; click also by xRange and yRange ({"min": 100, "max": 120}), in CSS pixels.
type takes text; press takes key; select takes value; scroll takes direction and amount; wait takes text, an element or ms; evaluate takes code; diagnose lists what is wrong with a page.
screenshots is none, after or both. When the development server does not run, ask the person to start it; never start it yourself.`;

export const browserActionTool = defineTool({
  name: "browser_action",
  title: "Browser action",
  description,
  input: z.object({
    instruction: z.string().describe("one <browser_action> element with its parameters as elements"),
    maxTokens: maxTokensField,
  }),
  readOnly: false,
  async run({ instruction, maxTokens }, bridge) {
    const response = await bridge.browserAction(instruction);
    const { screenshots, ...data } = response;
    const images = [screenshots?.pre, screenshots?.post].flatMap((image) =>
      image ? [{ data: image.source.data, mimeType: image.source.media_type }] : [],
    );
    return {
      text: forModel({
        content: browserReport(response, maxTokens),
        source: "the launched browser",
        note: response.success
          ? "browser_action succeeded"
          : `browser_action failed: ${response.error?.code ?? "internal"}`,
        maxTokens,
      }),
      images,
      data,
      isError: !response.success,
    };
  },
});
