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
import type { PageEngineOptions } from "../options.js";
import type { Activity } from "../receipt/activity.js";
import { beginReceipt } from "../receipt/receipt.js";
import type { Emit } from "../telemetry.js";
import { deepActiveElement } from "../view/elements/dom.js";
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
  readonly signal: AbortSignal;
  readonly allowEval: boolean;
  readonly evaluateElsewhere: PageEngineOptions["evaluate"];
  readonly caughtUp: PageEngineOptions["caughtUp"];
  readonly loadFind: LoadFind;
  readonly emit: Emit;
  emitSnapshot(element?: Element): void;
  sendTree(): void;
}

/** An action returns what to read after the page has settled or the wait has ended. */
type AfterSettling = (settled: boolean) => CommandOutcome | Promise<CommandOutcome>;

const MAX_RESULT = 1_000_000;

/** Carries out one command. What it throws is the answer's error. */
export async function runCommand(command: Command, context: CommandContext): Promise<CommandOutcome> {
  refuseWhenLeaving(context);
  context.view.tree.doubt();
  switch (command.type) {
    case "click":
      return acting(command, context, () => click(command, context));
    case "type":
      return acting(command, context, () => typeText(context.view, context.input, command));
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
  try {
    const after = (await act()) as AfterSettling | undefined;
    const receipt = await watched.finish(command.settle, context.signal);
    const outcome =
      typeof after === "function" && context.activity.leaving === undefined
        ? await after(receipt.settled)
        : {};
    return { ...outcome, receipt, durationMs: Math.round((platform.now() - begun) * 10) / 10 };
  } finally {
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
  await input.hover(element, point);
  return value && (() => ({ value }));
}

async function drag(
  command: CommandOf<"drag">,
  { view, input }: CommandContext,
): Promise<AfterSettling | undefined> {
  const source = pointAt(view, command.source);
  const dropped = command.target.point ? pointAt(view, command.target, true) : undefined;
  const target = dropped?.element ?? resolveTarget(view, command.target);
  await input.drag(source.element, source.point, target, () => {
    if (dropped) return dropped.point;
    // Like a person who turns the wheel while holding the button.
    target.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    return pressPoint(target);
  });
  const value = { ...(source.value ? { source: source.value } : {}), ...dropped?.value };
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
  const { evaluateElsewhere, view } = context;
  if (!evaluateElsewhere) return dataOutcome(await evaluate(code), context);
  const { text, json } = await evaluateElsewhere(code);
  const outcome: CommandOutcome = { result: truncate(view.masker.body(text), MAX_RESULT) };
  if (json !== undefined) outcome.value = context.data.toData(platform.parse(json), view.masker);
  return () => outcome;
}

/** The value as text and as data, taken now: the page may change it while it settles. */
function dataOutcome(value: unknown, { data, view }: CommandContext): AfterSettling {
  const outcome: CommandOutcome = {
    result: truncate(data.toResultText(value, view.masker), MAX_RESULT),
  };
  if (value !== undefined) outcome.value = data.toData(value, view.masker);
  return () => outcome;
}
