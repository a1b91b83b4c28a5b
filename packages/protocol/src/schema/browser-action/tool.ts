import { z } from "zod";
import { BROWSER_ACTIONS } from "../../names.js";

const description = `Debugs a web page in a Chrome that is launched for it. One instruction in XML, one report out: success or error with a hint, console logs and JavaScript errors (source-mapped), requests, timings, a receipt of what the action caused.

<browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>

Each parameter is an element. type is one of ${BROWSER_ACTIONS.join(", ")}. Begin with start, end with stop.
Name elements by targets (patterns such as: button "Sign in" | #login), selector or ref; click also by xRange and yRange ({"min": 100, "max": 120}), in CSS pixels.
type takes text; press takes key; select takes value; scroll takes direction and amount; wait takes text, an element or ms; evaluate takes code; diagnose reports what is wrong with a page.
screenshots is none, after or both. When the development server does not run, tell the person how to start it; never start it yourself.`;

/** The `browser_action` tool, defined once for everyone who offers it. */
export const browserActionDefinition = {
  name: "browser_action",
  title: "Browser action",
  description,
  inputSchema: z.object({
    instruction: z.string().describe("One <browser_action> element with its parameters as elements"),
  }),
} as const;
