import { fence } from "@debug-bridge/protocol";
import { z } from "zod";
import { fitStart } from "../answers/fit.js";
import { defineTool } from "../tool.js";
import { maxTokensField } from "./fields.js";

export const executeTool = defineTool({
  name: "execute",
  title: "Execute",
  description: `Runs Playwright code in the person's own Chrome, with their logins and tabs. In scope: page, context, browser, state (kept between calls; state.page is the page of the next call) and console. Return a value to see it.

const [tab] = context.pages().filter((each) => each.url().includes("example")); state.page = tab; return tab.title()`,
  input: z.object({
    code: z.string().describe("the body of an async function"),
    timeoutMs: z
      .int()
      .min(100)
      .max(600_000)
      .optional()
      .describe("30,000 when left out; then the code is ended"),
    maxTokens: maxTokensField,
  }),
  readOnly: false,
  async run({ code, timeoutMs, maxTokens }, { executor }) {
    const { where, value, lines, error } = await executor.run(code, timeoutMs);
    const said = [...lines, ...(error === undefined ? [`=> ${value}`] : [`error: ${error}`])].join("\n");
    const text = fence(fitStart(said, maxTokens, "return or print less of it"), where);
    return {
      text,
      data: { value, lines, ...(error === undefined ? {} : { error }) },
      isError: error !== undefined,
    };
  },
});

export const resetTool = defineTool({
  name: "reset",
  title: "Reset",
  description:
    "Ends what execute has running and forgets its state; the next execute connects afresh. Tabs stay as they are.",
  input: z.object({}),
  readOnly: false,
  async run(_input, { executor }) {
    await executor.reset();
    return { text: "done: the connection and its state are dropped" };
  },
});
