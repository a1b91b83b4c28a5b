import type { Interaction } from "@debug-bridge/protocol";
import type { Step } from "./types.js";

/** An interaction as it is in the timeline. */
export interface Observed {
  readonly interaction: Omit<Interaction, "sessionId" | "origin" | "type" | "timestamp">;
  readonly at: number;
  /** The command of an agent that was running, by its type. */
  readonly command?: string | undefined;
}

/** Which interactions a command of an agent makes; what the app's own scripts do meanwhile is not a step. */
const MADE_BY: Readonly<Record<string, RegExp>> = {
  click: /^(?:click|dblclick|check|uncheck)$/,
  type: /^(?:fill|press)$/,
  press: /^(?:press|fill|check|uncheck)$/,
  select: /^select$/,
  set_files: /^upload$/,
};

/** Clicks within this time are those of a double click. */
const DOUBLE_MS = 1_000;

/** Makes steps of interactions: those of the person, and those of agents. */
export function stepsOf(observed: readonly Observed[], requestTimes: readonly number[]): Omit<Step, "id">[] {
  const steps: Omit<Step, "id">[] = [];
  for (const { interaction, at, command } of observed) {
    const { action, synthetic, url: _url, ...rest } = interaction;
    if (synthetic && !(command !== undefined && MADE_BY[command]?.test(action))) continue;
    const step = { ...rest, action, at, by: command === undefined ? "person" : "agent" } as const;
    const before = steps.at(-1);
    if (step.committed && isKnown(steps, step)) continue;
    if (action === "fill" && before && isSameField(before, step) && !hasRequest(requestTimes, before.at, at))
      steps.pop();
    else if (action === "scroll" && before?.action === "scroll" && isSameField(before, step)) steps.pop();
    else if (action === "dblclick") dropClicks(steps, step);
    steps.push(step);
  }
  return steps;
}

/** Whether a `change` event says nothing new: the field was filled in just before, or Enter was pressed in it. */
function isKnown(steps: Omit<Step, "id">[], step: Omit<Step, "id">): boolean {
  const index = steps.findLastIndex(({ action }) => action !== "press");
  const before = steps[index];
  if (!before || !isSameField(before, step) || before.value !== step.value || before.secret !== step.secret)
    return false;
  if (index === steps.length - 1) steps[index] = { ...before, committed: true };
  return true;
}

/** A text that was typed without a request in between is filled in at once; with one, the app saw each part of it. */
function hasRequest(times: readonly number[], from: number, until: number): boolean {
  return times.some((time) => time >= from && time <= until);
}

function isSameField(a: Pick<Step, "action" | "locators">, b: Pick<Step, "action" | "locators">): boolean {
  return a.action === b.action && lastOf(a) === lastOf(b);
}

/** The CSS path, which every element has. */
const lastOf = ({ locators }: Pick<Step, "locators">): string | undefined => locators.at(-1)?.value;

function dropClicks(steps: Omit<Step, "id">[], { at, locators }: Pick<Step, "at" | "locators">): void {
  for (let i = 0; i < 2; i++) {
    const last = steps.at(-1);
    if (last?.action === "click" && lastOf(last) === lastOf({ locators }) && at - last.at < DOUBLE_MS)
      steps.pop();
  }
}
