import { z } from "zod";
import { BROWSER_ACTIONS } from "../../names.js";

const description = `Debugs a page in a launched Chrome.
<browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>
Types: ${BROWSER_ACTIONS.join(", ")}. Parameters: targets (button "Sign in" | #login), selector or ref; click also xRange, yRange ({"min": 1, "max": 9}); text, key, value, direction, amount, ms, code, answer, files, page; screenshots after|both.
Begin with start. If the development server is down, report that; never start it.`;

/** The `browser_action` tool, defined once for everyone who offers it. */
export const browserActionDefinition = {
  name: "browser_action",
  title: "Browser action",
  description,
  inputSchema: z.object({
    instruction: z.string().describe("one <browser_action> element"),
  }),
} as const;
