import { maskUrl } from "@debug-bridge/driver";
import { type CommandOutcome, fence } from "@debug-bridge/protocol";
import type { ActionContext, ActionYield, InstructionOf } from "./context.js";
import { isNamed, withElement } from "./named-element.js";
import { overview } from "./visit.js";

/** Shows what the page, or a part of it, holds now, with refs. */
export async function observe(
  context: ActionContext,
  instruction: InstructionOf<"observe">,
): Promise<ActionYield> {
  const { commands, page } = context;
  const { maxTokens, cursor } = instruction;
  const look = (more: object = {}): Promise<CommandOutcome> =>
    commands.run({
      ...{ type: "request_ui_tree", format: "text", maxTokens },
      ...(cursor === undefined ? {} : { cursor }),
      ...more,
    });
  const outcome = isNamed(instruction)
    ? (await withElement(context, instruction, (target) => look({ target }))).outcome
    : await look();
  const { nextCursor } = outcome.page ?? {};
  const url = maskUrl(page.driver.url);
  return {
    result: {
      ...{ url, title: await page.title(), ui: fence(outcome.result ?? "", { url }) },
      ...(nextCursor === undefined ? {} : { isWhole: false, cursor: nextCursor }),
    },
  };
}

/** Makes the next instructions be about another page of the browser, and shows it. */
export async function switchPage(
  context: ActionContext,
  { page: number }: InstructionOf<"switch">,
): Promise<ActionYield> {
  const commands = context.switchTo(number);
  return { result: await overview({ ...context, commands }) };
}
