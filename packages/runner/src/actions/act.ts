import { BridgeError, type CommandOutcome } from "@debug-bridge/protocol";
import { type ActionContext, type ActionYield, type InstructionOf, sleep } from "./context.js";
import { isAboutTarget, isNamed, type Named, withTarget } from "./find-target.js";

/** Where nothing else is named: what has the focus. */
const FOCUSED = { selector: ":focus" };
const SCROLL_PIXELS = 600;
const DEFAULT_WAIT_MS = 10_000;

async function withNamedOrFocused(
  context: ActionContext,
  named: Named,
  act: Parameters<typeof withTarget>[2],
): ReturnType<typeof withTarget> {
  if (isNamed(named)) return withTarget(context, named, act);
  try {
    return await withTarget(context, FOCUSED, act);
  } catch (thrown) {
    if (!isAboutTarget(BridgeError.from(thrown))) throw thrown;
    throw new BridgeError(
      "target_not_found",
      "nothing on the page has the focus; name the element by targets, selector or ref",
      { field: "targets" },
    );
  }
}

export async function type(context: ActionContext, instruction: InstructionOf<"type">): Promise<ActionYield> {
  const { driver } = context.live;
  const { text, clear, delay } = instruction;
  const { outcome, choice } = await withNamedOrFocused(context, instruction, async (target) => {
    if (delay === 0) return driver.run({ type: "type", target, text, clear });
    // With a pause between them, each key is its own act; the last one tells what all of them caused.
    const signs = [...text];
    for (const [index, sign] of signs.slice(0, -1).entries()) {
      await driver.run({ type: "type", target, text: sign, clear: clear && index === 0, settle: false });
      await sleep(delay);
      context.over?.throwIfAborted();
    }
    return driver.run({ type: "type", target, text: signs.at(-1) ?? "", clear: clear && signs.length < 2 });
  });
  refuseUnapplied(outcome, "the text was typed, but the app put its old value back");
  return { receipt: outcome.receipt, result: { ...(choice ? { choice } : {}), ...noteOf(outcome) } };
}

export async function select(
  context: ActionContext,
  instruction: InstructionOf<"select">,
): Promise<ActionYield> {
  const { outcome, choice } = await withNamedOrFocused(context, instruction, (target) =>
    context.live.driver.run({ type: "select", target, values: [instruction.value] }),
  );
  refuseUnapplied(outcome, "the option was chosen, but the app put the old one back");
  return { receipt: outcome.receipt, result: { ...(choice ? { choice } : {}), ...noteOf(outcome) } };
}

export async function press(
  context: ActionContext,
  instruction: InstructionOf<"press">,
): Promise<ActionYield> {
  const { driver } = context.live;
  const { key } = instruction;
  if (!isNamed(instruction)) return { receipt: (await driver.run({ type: "press", key })).receipt };
  const { outcome, choice } = await withTarget(context, instruction, (target) =>
    driver.run({ type: "press", key, target }),
  );
  return { receipt: outcome.receipt, ...(choice ? { result: { choice } } : {}) };
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
  const { outcome, choice } = await withTarget(context, instruction, (target) =>
    context.live.driver.run({ type: "hover", target }),
  );
  return { receipt: outcome.receipt, ...(choice ? { result: { choice } } : {}) };
}

export async function scroll(
  context: ActionContext,
  instruction: InstructionOf<"scroll">,
): Promise<ActionYield> {
  const { driver } = context.live;
  const { direction, amount } = instruction;
  const pixels = amount ?? SCROLL_PIXELS;
  const by = { up: { y: -pixels }, down: { y: pixels }, left: { x: -pixels }, right: { x: pixels } }[
    direction
  ];
  if (isNamed(instruction)) {
    const { outcome, choice } = await withTarget(context, instruction, (target) =>
      // An element without a distance is brought into view.
      driver.run({ type: "scroll", target, ...(amount === undefined ? {} : by) }),
    );
    return { receipt: outcome.receipt, ...(choice ? { result: { choice } } : {}) };
  }
  const before = await position(context);
  const { receipt } = await driver.run({ type: "scroll", ...by });
  const after = await position(context);
  const moved = { x: after.x - before.x, y: after.y - before.y };
  if (moved.x === 0 && moved.y === 0 && pixels > 0) {
    context.logs.tool(
      "warning",
      `the page did not scroll ${direction}: it is at its end, or does not scroll`,
    );
  }
  return { receipt, result: { position: after, moved } };
}

async function position({ live }: ActionContext): Promise<{ x: number; y: number }> {
  const { cssVisualViewport } = await live.cdp.send("Page.getLayoutMetrics");
  return { x: Math.round(cssVisualViewport.pageX), y: Math.round(cssVisualViewport.pageY) };
}

export async function wait(context: ActionContext, instruction: InstructionOf<"wait">): Promise<ActionYield> {
  const { text, ms } = instruction;
  if (text === undefined && !isNamed(instruction)) {
    await sleep(ms ?? 1_000);
    return { result: { waitedMs: ms ?? 1_000 } };
  }
  const maxMs = ms ?? DEFAULT_WAIT_MS;
  const begun = performance.now();
  const { driver } = context.live;
  if (text !== undefined) await driver.run({ type: "wait_for", text, maxMs });
  if (isNamed(instruction)) await waitForElement(context, instruction, begun + maxMs);
  return { result: { waitedMs: Math.round(performance.now() - begun) } };
}

async function waitForElement(
  context: ActionContext,
  instruction: InstructionOf<"wait">,
  ends: number,
): Promise<void> {
  for (;;) {
    try {
      const left = Math.max(1, ends - performance.now());
      await withTarget(context, instruction, (target) =>
        context.live.driver.run({
          type: "wait_for",
          target,
          // Patterns are tried again in turn, so that none may take all of the time.
          maxMs: instruction.targets === undefined ? left : Math.min(left, 50),
        }),
      );
      return;
    } catch (thrown) {
      const { code } = BridgeError.from(thrown);
      if (performance.now() >= ends || !["target_not_found", "timeout"].includes(code)) throw thrown;
      await sleep(50);
    }
  }
}

export async function evaluate(
  context: ActionContext,
  { code }: InstructionOf<"evaluate">,
): Promise<ActionYield> {
  const { value, result, receipt } = await context.live.driver.run({ type: "evaluate", code });
  return { receipt, result: value === undefined ? { text: result ?? "undefined" } : { value } };
}

function refuseUnapplied({ applied, message }: CommandOutcome, why: string): void {
  if (applied === false) throw new BridgeError("not_actionable", `${why}${message ? ` (${message})` : ""}`);
}

/** What the page's engine says besides: that an app changed the text, for example. */
function noteOf({ message, value }: CommandOutcome): object {
  return { ...(message === undefined ? {} : { note: message }), ...(value === undefined ? {} : { value }) };
}
