import {
  BridgeError,
  type Command,
  type CommandOf,
  type CommandOutcome,
  truncate,
} from "@debug-bridge/protocol";
import { ActionQueue } from "../act/action-queue.js";
import { makeActionable } from "../act/actionable.js";
import { evaluate } from "../act/evaluate.js";
import { isEditable } from "../act/input/key-defaults.js";
import { parseChord } from "../act/input/keys.js";
import { syntheticInput } from "../act/input/synthetic-input.js";
import { bringIntoView } from "../act/into-view.js";
import { navigate } from "../act/navigate.js";
import { pointAt } from "../act/pointing.js";
import { resolveTarget } from "../act/resolve.js";
import { scroll } from "../act/scroll.js";
import { selectOptions } from "../act/select-options.js";
import { setFiles } from "../act/set-files.js";
import { typeInEditor } from "../act/type-in-editor.js";
import { placeCaret, typeText } from "../act/type-text.js";
import { platform } from "../inert/platform.js";
import type { PageInput } from "../input.js";
import type { AfterSettling } from "../options.js";
import { beginReceipt } from "../receipt/receipt.js";
import { deepActiveElement } from "../view/elements/dom.js";
import { toTabPoint } from "../view/elements/frame-points.js";
import { pressPoint } from "../view/elements/visibility.js";
import type { PageView } from "../view/view.js";
import { refuseWhenLeaving } from "./leaving.js";
import type { CommandContext } from "./run-command.js";
import { callTool } from "./tools.js";

type ExtraAction = (view: PageView, command: Command) => AfterSettling;
type ActingContext = CommandContext & { readonly input: PageInput };

const MAX_RESULT = 1_000_000;

/** How each page is acted on: one action after another, by one pointer. */
const actors = new WeakMap<PageView, { readonly queue: ActionQueue; readonly input: PageInput }>();

function actorOf({ view, input }: CommandContext): {
  readonly queue: ActionQueue;
  readonly input: PageInput;
} {
  const actor = actors.get(view) ?? { queue: new ActionQueue(), input: input ?? syntheticInput() };
  actors.set(view, actor);
  return actor;
}

/** Carries out a command that acts, when those before it are done. */
export function act(command: Command, given: CommandContext): Promise<CommandOutcome> {
  const context = { ...given, input: actorOf(given).input };
  const extra = context.actions?.[command.type] as ExtraAction | undefined;
  if (extra) return acting(command, context, () => extra(context.view, command));
  switch (command.type) {
    case "click":
      return acting(command, context, () => click(command, context));
    case "type":
      return acting(command, context, () => type(command, context));
    case "press":
      return acting(command, context, () => press(command, context));
    case "select":
      return acting(command, context, () => selectOptions(context.view, context.input, command));
    case "hover":
      return acting(command, context, () => hover(command, context));
    case "scroll":
      return acting(command, context, () => scroll(context.view, command));
    case "drag":
      return acting(command, context, () => drag(command, context));
    case "set_files":
      return acting(command, context, () => setFiles(context.view, command));
    case "navigate":
      return inTurn(command, context, () =>
        navigate(command, context, (run) => withReceipt(command, context, run)),
      );
    case "evaluate":
      return acting(command, context, () => evaluateCode(command, context));
    case "call_tool":
      return acting(command, context, async () =>
        dataOutcome(await callTool(context.tools, command.name, command.input), context),
      );
    default:
      throw new BridgeError("not_supported", `this page does not support the command "${command.type}"`);
  }
}

/** Runs when the commands before it are done. */
async function inTurn(
  command: Command,
  context: CommandContext,
  run: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const end = await actorOf(context).queue.enter(command, context);
  try {
    refuseWhenLeaving(context);
    return await run();
  } finally {
    end();
  }
}

type ActingCommand = Command & { settle?: CommandOf<"click">["settle"] };

function acting(
  command: ActingCommand,
  context: CommandContext,
  act: () => unknown | Promise<unknown>,
): Promise<CommandOutcome> {
  return inTurn(command, context, () => withReceipt(command, context, act));
}

/** Acts, waits for the effects, and answers with a receipt. */
async function withReceipt(
  command: ActingCommand,
  context: CommandContext,
  act: () => unknown | Promise<unknown>,
): Promise<CommandOutcome> {
  const startedAt = platform.now();
  const watched = beginReceipt(context);
  context.dialogs.acting++;
  try {
    const after = (await act()) as AfterSettling | undefined;
    const receipt = await watched.finish(command.settle, context.signal);
    const outcome =
      typeof after === "function" && context.activity.leaving === undefined
        ? await after(receipt.settled)
        : {};
    return { ...outcome, receipt, durationMs: Math.round((platform.now() - startedAt) * 10) / 10 };
  } finally {
    context.dialogs.acting--;
    watched.cancel();
  }
}

async function click(
  command: CommandOf<"click">,
  { view, input }: ActingContext,
): Promise<AfterSettling | undefined> {
  const { target, button = "left", clickCount: count = 1, modifiers = [] } = command;
  const { element, point, value } = pointAt(view, target);
  const done = await input.click(element, point, { button, count, modifiers });
  return answer(value, done, "a page cannot open tabs; navigate instead");
}

/** What is said besides the receipt: the value, and what a page cannot do. */
const answer =
  (value: unknown, done: boolean, message: string): AfterSettling =>
  () => ({ ...(value ? { value } : {}), ...(done ? {} : { message }) });

async function type(command: CommandOf<"type">, { view, input }: ActingContext): Promise<AfterSettling> {
  return (await typeInEditor(view, input, command)) ?? typeText(view, input, command);
}

async function press(command: CommandOf<"press">, { view, input }: ActingContext): Promise<AfterSettling> {
  const chord = parseChord(command.key);
  const target = command.target ? resolveTarget(view, command.target) : undefined;
  if (target) {
    makeActionable(view, target);
    if (deepActiveElement(view.page) !== target) {
      (target as HTMLElement).focus({ preventScroll: true });
      if (isEditable(target)) placeCaret(target, false);
    }
  }
  const done = await input.press(target ?? deepActiveElement(view.page) ?? view.page.body, chord);
  return answer(
    undefined,
    done,
    "the app got the events; a page cannot trigger what the browser does with the key",
  );
}

async function hover(
  command: CommandOf<"hover">,
  { view, input }: ActingContext,
): Promise<AfterSettling | undefined> {
  const { element, point, value } = pointAt(view, command.target, true);
  const done = await input.hover(element, point);
  return answer(value, done, "the app got the events; a page cannot trigger CSS :hover");
}

async function drag(
  { source, target, by, path }: CommandOf<"drag">,
  { view, input }: ActingContext,
): Promise<AfterSettling | undefined> {
  const grip = pointAt(view, source ?? { point: path?.[0] });
  const dropped = target?.point ? pointAt(view, target, true) : undefined;
  const onto =
    dropped?.element ?? (target ? resolveTarget(view, target) : grip.element.ownerDocument.documentElement);
  const from = toTabPoint(grip.element, grip.point);
  await input.drag(grip.element, grip.point, onto, () => {
    if (path) return path.slice(1);
    // Like a person who turns the wheel while holding the button.
    if (target && !dropped) bringIntoView(view, onto, "nearest");
    const to = by ? { x: grip.point.x + by.x, y: grip.point.y + by.y } : (dropped?.point ?? pressPoint(onto));
    const origin = toTabPoint(onto, { x: 0, y: 0 });
    const steps = [4, 3, 2, 1, 0].map((left) => ({
      x: to.x + ((from.x - origin.x - to.x) * left) / 5,
      y: to.y + ((from.y - origin.y - to.y) * left) / 5,
    }));
    // What made room for it at the last step gets another look at where it is.
    return [...steps, to];
  });
  const value = { ...(grip.value ? { source: grip.value } : {}), ...dropped?.value };
  return Object.keys(value).length > 0 ? () => ({ value }) : undefined;
}

async function evaluateCode(
  { code }: CommandOf<"evaluate">,
  context: CommandContext,
): Promise<AfterSettling> {
  if (!context.allowEval) {
    throw new BridgeError(
      "eval_disabled",
      "evaluation is disabled; set enableEval: true in the app to allow it",
    );
  }
  return dataOutcome(await evaluate(code), context);
}

/** The value as text and as data, taken now: the page may change it while it settles. */
function dataOutcome(value: unknown, { data, view }: CommandContext): AfterSettling {
  const outcome: CommandOutcome = {
    result: truncate(data.toResultText(value, view.masker), MAX_RESULT),
  };
  if (value !== undefined) outcome.value = data.toData(value, view.masker);
  return () => outcome;
}
