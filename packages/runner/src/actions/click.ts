import { BridgeError, type Range, type Receipt } from "@debug-bridge/protocol";
import { visualChange } from "../image/compare.js";
import { type ActionContext, type ActionYield, type InstructionOf, sleep } from "./context.js";
import { type Explained, isNamed, withTarget } from "./find-target.js";
import { captureJpeg } from "./screenshot.js";

const MOST_TRIES = 3;
/** For animations to begin. */
const AFTER_CLICK_MS = 100;
const BETWEEN_TRIES_MS = 500;
/** For comparing, a picture must show more than one for a model's eyes. */
const COMPARED_QUALITY = 80;

interface Clicked {
  readonly receipt: Receipt | undefined;
  readonly choice?: Explained;
  readonly at?: { readonly x: number; readonly y: number };
  readonly lies?: string;
}

/** Clicks once; with `visualVerify` until the page looks different, up to three times. */
export async function click(
  context: ActionContext,
  instruction: InstructionOf<"click">,
): Promise<ActionYield> {
  const once = (attempt: number): Promise<Clicked> =>
    isNamed(instruction) ? clickElement(context, instruction) : clickPoint(context, instruction, attempt);
  if (!instruction.visualVerify) {
    const { receipt, ...result } = await once(0);
    return { receipt, ...(Object.keys(result).length > 0 ? { result } : {}) };
  }
  const { visualThreshold } = instruction;
  const changes: number[] = [];
  let lies: string | undefined;
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    if (attempt > 0) await sleep(BETWEEN_TRIES_MS);
    const before = await captureJpeg(context.live, { quality: COMPARED_QUALITY });
    context.over?.throwIfAborted();
    const { receipt, ...clicked } = await once(attempt);
    lies = clicked.lies ?? clicked.choice?.element;
    await sleep(AFTER_CLICK_MS);
    const change = visualChange(before, await captureJpeg(context.live, { quality: COMPARED_QUALITY }));
    changes.push(change);
    context.logs.tool("debug", `click ${attempt + 1} changed ${percent(change)} of what is visible`);
    if (change >= visualThreshold) {
      return { receipt, result: { ...clicked, visualChange: change, tries: attempt + 1 } };
    }
  }
  const most = Math.max(...changes);
  throw new BridgeError(
    "not_actionable",
    `${MOST_TRIES} clicks changed at most ${percent(most)} of what is visible, below visualThreshold (${percent(visualThreshold)})${inRanges(instruction)}${lies ? `, where there is ${lies}` : ""}. ${most > 0 ? `If so small a change is what you expect, set visualThreshold to ${Math.max(0.0001, Number((most / 2).toPrecision(1)))}` : "Nothing moved: see whether that is the right place"}`,
    { visualChange: most, tries: MOST_TRIES },
  );
}

async function clickElement(context: ActionContext, instruction: InstructionOf<"click">): Promise<Clicked> {
  const { outcome, choice } = await withTarget(context, instruction, (target) =>
    context.live.driver.run({ type: "click", target, button: instruction.button }),
  );
  return { receipt: outcome.receipt, ...(choice ? { choice } : {}) };
}

/** The middle of the ranges at first, then any point inside them. */
function pointIn(xRange: Range, yRange: Range, attempt: number): { x: number; y: number } {
  const within = ({ min, max }: Range): number =>
    attempt === 0 ? (min + max) / 2 : min + Math.random() * (max - min);
  return { x: within(xRange), y: within(yRange) };
}

async function clickPoint(
  context: ActionContext,
  instruction: InstructionOf<"click">,
  attempt: number,
): Promise<Clicked> {
  const { live, logs } = context;
  const { xRange, yRange, button } = instruction as { xRange: Range; yRange: Range; button: "left" };
  const at = pointIn(xRange, yRange, attempt);
  const { cssLayoutViewport: view } = await live.cdp.send("Page.getLayoutMetrics");
  if (at.x < 0 || at.y < 0 || at.x >= view.clientWidth || at.y >= view.clientHeight) {
    throw new BridgeError(
      "not_actionable",
      `the point ${at.x}, ${at.y}${inRanges(instruction)} lies outside of the viewport of ${view.clientWidth} × ${view.clientHeight} CSS pixels; scroll first, or correct the ranges`,
      { xRange, yRange },
    );
  }
  const lies = await live.driver.whatLiesAt(at.x, at.y);
  logs.tool("debug", `clicks at ${at.x}, ${at.y}${inRanges(instruction)}, where there is ${lies}`);
  // The receipt is begun before the click and ended when its first animations run.
  const watched = live.driver.run({
    type: "evaluate",
    code: `new Promise((resolve) => setTimeout(resolve, ${AFTER_CLICK_MS}))`,
  });
  watched.catch(() => {});
  await live.page.mouse.click(at.x, at.y, { button });
  return { receipt: (await watched).receipt, at, lies };
}

function inRanges({ xRange, yRange }: InstructionOf<"click">): string {
  return xRange && yRange
    ? ` (xRange ${xRange.min} to ${xRange.max}, yRange ${yRange.min} to ${yRange.max})`
    : "";
}

const percent = (part: number): string => `${Number((part * 100).toPrecision(2))}%`;
