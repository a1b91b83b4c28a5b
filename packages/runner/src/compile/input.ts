import { BridgeError, type CommandInput, type CommandOutcome } from "@debug-bridge/protocol";
import { scrollCommand, typeCommands } from "./commands.js";
import { type ActionContext, type ActionYield, type InstructionOf, sleep } from "./context.js";
import { isAboutTarget, isNamed, type Named, withElement } from "./named-element.js";

type Acted = Awaited<ReturnType<typeof withElement>>;

/** Used when an instruction names no element. */
const FOCUSED = { selector: ":focus" };

async function withNamedOrFocused(
  context: ActionContext,
  named: Named,
  act: Parameters<typeof withElement>[2],
): Promise<Acted> {
  if (isNamed(named)) return withElement(context, named, act);
  try {
    return await withElement(context, FOCUSED, act);
  } catch (thrown) {
    if (!isAboutTarget(BridgeError.from(thrown))) throw thrown;
    throw new BridgeError(
      "target_not_found",
      "no element has the focus; name the element with targets, selector or ref",
      { field: "targets" },
    );
  }
}

export async function type(context: ActionContext, instruction: InstructionOf<"type">): Promise<ActionYield> {
  const acted = await withNamedOrFocused(context, instruction, async (target) => {
    const commands = typeCommands(instruction, target);
    for (const command of commands.slice(0, -1)) {
      await context.commands.run(command);
      await sleep(instruction.delay);
    }
    return context.commands.run(commands.at(-1) as CommandInput);
  });
  assertApplied(acted.outcome, "the text was typed, but the app restored the old value");
  return yieldOf(acted, noteOf(acted.outcome));
}

export async function select(
  context: ActionContext,
  instruction: InstructionOf<"select">,
): Promise<ActionYield> {
  const acted = await withNamedOrFocused(context, instruction, (target) =>
    context.commands.run({ type: "select", target, values: [instruction.value] }),
  );
  assertApplied(acted.outcome, "the option was selected, but the app restored the old one");
  return yieldOf(acted, noteOf(acted.outcome));
}

export async function press(
  context: ActionContext,
  instruction: InstructionOf<"press">,
): Promise<ActionYield> {
  const { commands } = context;
  const { key } = instruction;
  if (!isNamed(instruction)) return yieldOf({ outcome: await commands.run({ type: "press", key }) });
  return yieldOf(
    await withElement(context, instruction, (target) => commands.run({ type: "press", key, target })),
  );
}

export async function hover(
  context: ActionContext,
  instruction: InstructionOf<"hover">,
): Promise<ActionYield> {
  if (!isNamed(instruction)) {
    throw new BridgeError("invalid_message", "hover needs an element: targets, selector or ref", {
      field: "targets",
    });
  }
  return yieldOf(
    await withElement(context, instruction, (target) => context.commands.run({ type: "hover", target })),
  );
}

interface Scrolled {
  readonly position: { readonly x: number; readonly y: number };
  readonly moved: { readonly x: number; readonly y: number };
}

export async function scroll(
  context: ActionContext,
  instruction: InstructionOf<"scroll">,
): Promise<ActionYield> {
  const { commands, logs } = context;
  const acted: Acted = isNamed(instruction)
    ? await withElement(context, instruction, (target) => commands.run(scrollCommand(instruction, target)))
    : { outcome: await commands.run(scrollCommand(instruction)) };
  const scrolled = acted.outcome.value as Scrolled | undefined;
  const stayed = scrolled?.moved.x === 0 && scrolled.moved.y === 0;
  if (stayed && !isNamed(instruction) && instruction.amount !== 0) {
    logs.tool(
      "warning",
      `the page did not scroll ${instruction.direction}: it is already at the end, or it cannot scroll`,
    );
  }
  return yieldOf(acted, scrolled ?? {});
}

export async function evaluate(
  { commands }: ActionContext,
  { code }: InstructionOf<"evaluate">,
): Promise<ActionYield> {
  const { value, result, receipt } = await commands.run({ type: "evaluate", code });
  return { receipt, result: value === undefined ? { text: result ?? "undefined" } : { value } };
}

/** Decides how dialogs that the page opens are answered. */
export async function dialog(
  { commands }: ActionContext,
  { answer, text, for: which }: InstructionOf<"dialog">,
): Promise<ActionYield> {
  const { receipt, value } = await commands.run({
    ...{ type: "dialog", action: answer, for: which },
    ...(text === undefined ? {} : { text }),
  });
  return { receipt, result: value };
}

/** Chooses files for a file input. */
export async function upload(
  context: ActionContext,
  instruction: InstructionOf<"upload">,
): Promise<ActionYield> {
  if (!isNamed(instruction)) {
    throw new BridgeError("invalid_message", "upload needs a file input: targets, selector or ref", {
      field: "targets",
    });
  }
  const files = instruction.files.map((file) => {
    if (!("text" in file)) return file;
    const { text, ...about } = file;
    return { ...about, data: Buffer.from(text).toString("base64") };
  });
  const acted = await withElement(context, instruction, (target) =>
    context.commands.run({ type: "set_files", target, files }),
  );
  return yieldOf(acted, noteOf(acted.outcome));
}

/** The receipt, and the result's details about the element and the command. */
function yieldOf({ outcome, choice }: Acted, more: object = {}): ActionYield {
  const result = { ...(choice ? { choice } : {}), ...more };
  return { receipt: outcome.receipt, ...(Object.keys(result).length > 0 ? { result } : {}) };
}

function assertApplied({ applied, message }: CommandOutcome, why: string): void {
  if (applied === false) throw new BridgeError("not_actionable", `${why}${message ? ` (${message})` : ""}`);
}

/** What the page engine adds: for example that an app changed the text. */
function noteOf({ message, value }: CommandOutcome): object {
  return { ...(message === undefined ? {} : { note: message }), ...(value === undefined ? {} : { value }) };
}
