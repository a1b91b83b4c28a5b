import {
  BridgeError,
  type Command,
  type CommandOf,
  type CommandOutcome,
  truncate,
} from "@debug-bridge/protocol";
import { ActionQueue } from "../act/action-queue.js";
import { makeActionable } from "../act/actionable.js";
import type { DialogRules } from "../act/dialog-rules.js";
import { evaluate } from "../act/evaluate.js";
import { isEditable } from "../act/input/key-defaults.js";
import { parseChord } from "../act/input/keys.js";
import { navigate } from "../act/navigate.js";
import { pointAt } from "../act/pointing.js";
import { resolveTarget } from "../act/resolve.js";
import { scroll } from "../act/scroll.js";
import { selectOptions } from "../act/select-options.js";
import { placeCaret, typeText } from "../act/type-text.js";
import { waitFor } from "../act/wait-for.js";
import type { TelemetryCapture } from "../capture/telemetry-capture.js";
import { platform } from "../inert/platform.js";
import type { PageInput } from "../input.js";
import type { AfterSettling, PageEngineOptions } from "../options.js";
import type { Activity } from "../receipt/activity.js";
import { beginReceipt } from "../receipt/receipt.js";
import type { Emit } from "../telemetry.js";
import { deepActiveElement } from "../view/elements/dom.js";
import { toTabPoint } from "../view/elements/frame-points.js";
import { pressPoint } from "../view/elements/visibility.js";
import type { PageView } from "../view/view.js";
import type { StateStore } from "./app-state.js";
import { observe, readState } from "./observe.js";
import { callTool, type Tools } from "./tools.js";

/** Loads the part that searches; an app that is never searched need not have it. */
export type LoadFind = () => Promise<Pick<typeof import("./find.js"), "find">>;

/** Everything that commands work with. */
export interface CommandContext {
  readonly view: PageView;
  readonly activity: Activity;
  readonly state: StateStore;
  readonly tools: Tools;
  readonly data: TelemetryCapture["data"];
  readonly input: PageInput;
  readonly dialogs: DialogRules;
  readonly signal: AbortSignal;
  readonly allowEval: boolean;
  readonly actions: PageEngineOptions["actions"];
  readonly caughtUp: PageEngineOptions["caughtUp"];
  readonly loadFind: LoadFind;
  readonly emit: Emit;
  emitSnapshot(element?: Element): void;
  sendTree(): void;
}

type ExtraAction = (view: PageView, command: Command, type: () => Promise<AfterSettling>) => AfterSettling;

const MAX_RESULT = 1_000_000;

/** Carries out one command. What it throws is the answer's error. */
export async function runCommand(command: Command, context: CommandContext): Promise<CommandOutcome> {
  refuseWhenLeaving(context);
  const extra = context.actions?.[command.type] as ExtraAction | undefined;
  const type = (): Promise<AfterSettling> =>
    typeText(context.view, context.input, command as CommandOf<"type">);
  if (extra) return acting(command, context, () => extra(context.view, command, type));
  context.view.tree.doubt();
  switch (command.type) {
    case "click":
      return acting(command, context, () => click(command, context));
    case "type":
      return acting(command, context, type);
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
    case "dialog":
      context.dialogs.set(command);
      return { value: { for: command.for ?? "next" } };
    case "navigate":
      return inTurn(command, context, () =>
        navigate(command, context, (act) => withReceipt(command, context, act)),
      );
    case "evaluate":
      return acting(command, context, () => evaluateCode(command, context));
    case "call_tool":
      return acting(command, context, async () =>
        dataOutcome(await callTool(context.tools, command.name, command.input), context),
      );
    case "wait_for":
      await waitFor(context.view, context.activity, command, context.signal);
      return {};
    case "request_ui_tree":
      return observe(command, context);
    case "find":
      return (await context.loadFind()).find(command, context);
    case "request_dom_snapshot":
      context.emitSnapshot(command.target ? resolveTarget(context.view, command.target) : undefined);
      return {};
    case "get_state":
      return readState(command, context);
    case "screenshot":
      throw new BridgeError(
        "not_supported",
        "screenshots are not supported in an SDK session. Use request_ui_tree with format text, or open the page as a tab or browser session",
      );
    default:
      throw new BridgeError("not_supported", `this page does not support the command "${command.type}"`);
  }
}

const turns = new WeakMap<PageView, ActionQueue>();

/** Runs when the commands before it are done. */
async function inTurn(
  command: Command,
  context: CommandContext,
  run: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const { view, signal } = context;
  const own = turns.get(view) ?? new ActionQueue();
  turns.set(view, own);
  const end = await own.enter(command, signal);
  try {
    refuseWhenLeaving(context);
    return await run();
  } finally {
    end();
  }
}

/** What is done in a page that is being left is lost, and may be done to the wrong one. */
function refuseWhenLeaving({ activity, view }: CommandContext): void {
  const to = activity.goingTo;
  if (to === undefined) return;
  throw new BridgeError(
    "not_actionable",
    `the page is being left for ${view.masker.url(to)}. Nothing was done; wait for the next page's hello and send this again`,
    { retry: true },
  );
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
  const begun = platform.now();
  const watched = beginReceipt(context);
  context.dialogs.acting++;
  try {
    const after = (await act()) as AfterSettling | undefined;
    const receipt = await watched.finish(command.settle, context.signal);
    const outcome =
      typeof after === "function" && context.activity.leaving === undefined
        ? await after(receipt.settled)
        : {};
    return { ...outcome, receipt, durationMs: Math.round((platform.now() - begun) * 10) / 10 };
  } finally {
    context.dialogs.acting--;
    watched.cancel();
  }
}

async function click(
  command: CommandOf<"click">,
  { view, input }: CommandContext,
): Promise<AfterSettling | undefined> {
  const { target, button = "left", clickCount: count = 1, modifiers = [] } = command;
  const { element, point, value } = pointAt(view, target);
  await input.click(element, point, { button, count, modifiers });
  return value && (() => ({ value }));
}

async function press(
  command: CommandOf<"press">,
  { view, input }: CommandContext,
): Promise<AfterSettling | undefined> {
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
  if (done) return undefined;
  const message = "the key was sent to the app; a page cannot trigger what the browser itself does with it";
  return () => ({ message });
}

async function hover(
  command: CommandOf<"hover">,
  { view, input }: CommandContext,
): Promise<AfterSettling | undefined> {
  const { element, point, value } = pointAt(view, command.target, true);
  const done = await input.hover(element, point);
  const message = "the app got the events; a page cannot trigger CSS :hover";
  return () => ({ ...(value ? { value } : {}), ...(done ? {} : { message }) });
}

async function drag(
  { source, target, by, path }: CommandOf<"drag">,
  { view, input }: CommandContext,
): Promise<AfterSettling | undefined> {
  const grip = pointAt(view, source ?? { point: path?.[0] });
  const dropped = target?.point ? pointAt(view, target, true) : undefined;
  const onto =
    dropped?.element ?? (target ? resolveTarget(view, target) : grip.element.ownerDocument.documentElement);
  const from = toTabPoint(grip.element, grip.point);
  await input.drag(grip.element, grip.point, onto, () => {
    if (path) return path.slice(1);
    // Like a person who turns the wheel while holding the button.
    if (target && !dropped) onto.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
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
