import type { BrowserInstruction } from "@debug-bridge/protocol";
import { match } from "ts-pattern";
import { evaluate, hover, press, scroll, select, type, wait } from "./act.js";
import { click } from "./click.js";
import type { ActionContext, ActionYield } from "./context.js";
import { diagnose } from "./diagnose.js";
import { navigate } from "./navigate.js";
import { screenshot } from "./screenshot.js";

/** Carries out one instruction in a live page. What it throws is why it failed. */
export function perform(context: ActionContext, instruction: BrowserInstruction): Promise<ActionYield> {
  tellUnused(context, instruction);
  return match<BrowserInstruction, Promise<ActionYield>>(instruction)
    .with({ type: "start" }, { type: "navigate" }, (one) => navigate(context, one))
    .with({ type: "click" }, (one) => click(context, one))
    .with({ type: "type" }, (one) => type(context, one))
    .with({ type: "scroll" }, (one) => scroll(context, one))
    .with({ type: "screenshot" }, (one) => screenshot(context, one))
    .with({ type: "press" }, (one) => press(context, one))
    .with({ type: "hover" }, (one) => hover(context, one))
    .with({ type: "select" }, (one) => select(context, one))
    .with({ type: "wait" }, (one) => wait(context, one))
    .with({ type: "evaluate" }, (one) => evaluate(context, one))
    .with({ type: "diagnose" }, (one) => diagnose(context, one))
    .with({ type: "stop" }, async () => ({}))
    .exhaustive();
}

/** Of several names for an element one is used; that the others are not must not pass in silence. */
function tellUnused({ logs }: ActionContext, instruction: BrowserInstruction): void {
  const ways = ["ref", "selector", "targets", "xRange"] as const;
  const [used, ...unused] = ways.filter((way) => (instruction as Record<string, unknown>)[way] !== undefined);
  if (unused.length === 0) return;
  const names = unused.map((way) => (way === "xRange" ? "xRange with yRange" : way)).join(" and ");
  logs.tool("warning", `the element is named by ${used}; ${names} is not used`);
}

/** How long an action may take in all, where its page no longer answers. */
export function deadlineOf(instruction: BrowserInstruction, timeoutMs: number): number {
  return match(instruction)
    .with({ type: "start" }, { type: "navigate" }, (one) => (one.timeoutMs ?? timeoutMs) + 10_000)
    .with({ type: "diagnose" }, () => timeoutMs + 10_000)
    .with({ type: "wait" }, ({ ms }) => (ms ?? 10_000) + timeoutMs)
    .with({ type: "type" }, ({ text, delay }) => timeoutMs + text.length * (delay + 20))
    .with({ type: "click" }, ({ visualVerify }) => (visualVerify ? 3 * timeoutMs : timeoutMs))
    .otherwise(() => timeoutMs);
}
