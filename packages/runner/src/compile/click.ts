import { BridgeError, type CommandOutcome, type Range, type Receipt } from "@debug-bridge/protocol";
import { visualChange } from "../image/compare.js";
import { pointIn } from "./commands.js";
import { type ActionContext, type ActionYield, type InstructionOf, sleep } from "./context.js";
import { type Choice, isNamed, withElement } from "./named-element.js";
import { captureJpeg } from "./picture.js";

const MAX_ATTEMPTS = 3;
/** For animations to begin. */
const SETTLE_DELAY_MS = 100;
const RETRY_DELAY_MS = 500;
/** A picture for comparison needs more detail than one for a model. */
const COMPARED_QUALITY = 80;

interface Clicked {
  readonly receipt: Receipt | undefined;
  readonly choice?: Choice;
  readonly at?: { readonly x: number; readonly y: number };
  /** What is at the point: `button "Save"`. */
  readonly element?: string;
}

/** Clicks once; with `visualVerify` until the page looks different, up to three times. */
export async function click(
  context: ActionContext,
  instruction: InstructionOf<"click">,
): Promise<ActionYield> {
  if (instruction.visualVerify) return clickUntilChanged(context, instruction);
  const { receipt, ...result } = await clickOnce(context, instruction, 0);
  return { receipt, ...(Object.keys(result).length > 0 ? { result } : {}) };
}

async function clickUntilChanged(
  context: ActionContext,
  instruction: InstructionOf<"click">,
): Promise<ActionYield> {
  const { commands, logs } = context;
  const { visualThreshold } = instruction;
  const changes: number[] = [];
  let element: string | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(RETRY_DELAY_MS);
    const before = await captureJpeg(commands, { quality: COMPARED_QUALITY });
    const { receipt, ...clicked } = await clickOnce(context, instruction, attempt);
    element = clicked.element ?? clicked.choice?.element;
    await sleep(SETTLE_DELAY_MS);
    const change = visualChange(before, await captureJpeg(commands, { quality: COMPARED_QUALITY }));
    changes.push(change);
    logs.tool("debug", `click ${attempt + 1} changed ${percent(change)} of the viewport`);
    if (change >= visualThreshold) {
      return { receipt, result: { ...clicked, visualChange: change, tries: attempt + 1 } };
    }
  }
  const most = Math.max(...changes);
  const advice =
    most > 0
      ? `If you expect such a small change, set visualThreshold to ${Math.max(0.0001, Number((most / 2).toPrecision(1)))}`
      : "Nothing changed: check that this is the right place";
  throw new BridgeError(
    "not_actionable",
    `${MAX_ATTEMPTS} clicks changed at most ${percent(most)} of the viewport, below visualThreshold (${percent(visualThreshold)})${rangesOf(instruction)}${element ? `, at ${element}` : ""}. ${advice}`,
    { visualChange: most, tries: MAX_ATTEMPTS },
  );
}

async function clickOnce(
  context: ActionContext,
  instruction: InstructionOf<"click">,
  attempt: number,
): Promise<Clicked> {
  if (!isNamed(instruction)) return clickPoint(context, instruction, attempt);
  const { outcome, choice } = await withElement(context, instruction, (target) =>
    context.commands.run({ type: "click", target, button: instruction.button }),
  );
  return { receipt: outcome.receipt, ...(choice ? { choice } : {}) };
}

async function clickPoint(
  { commands, logs }: ActionContext,
  instruction: InstructionOf<"click">,
  attempt: number,
): Promise<Clicked> {
  const { xRange, yRange, button } = instruction as { xRange: Range; yRange: Range; button: "left" };
  const point = pointIn(xRange, yRange, attempt);
  const outcome = await commands
    .run({ type: "click", target: { point }, button })
    .catch((thrown: unknown): CommandOutcome => {
      const { code, message, details } = BridgeError.from(thrown);
      throw new BridgeError(code, `${message}${rangesOf(instruction)}`, { ...details, xRange, yRange });
    });
  const { element } = (outcome.value ?? {}) as { element?: string };
  logs.tool(
    "debug",
    `clicked at ${point.x}, ${point.y}${rangesOf(instruction)}${element ? `, on ${element}` : ""}`,
  );
  return { receipt: outcome.receipt, at: point, ...(element === undefined ? {} : { element }) };
}

function rangesOf({ xRange, yRange }: InstructionOf<"click">): string {
  return xRange && yRange
    ? ` (xRange ${xRange.min} to ${xRange.max}, yRange ${yRange.min} to ${yRange.max})`
    : "";
}

const percent = (part: number): string => `${Number((part * 100).toPrecision(2))}%`;
