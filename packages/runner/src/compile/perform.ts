import type { BrowserInstruction } from "@debug-bridge/protocol";
import { click } from "./click.js";
import type { ActionContext, ActionYield } from "./context.js";
import { diagnose } from "./diagnose.js";
import { dialog, evaluate, hover, press, scroll, select, type, upload } from "./input.js";
import { observe, switchPage } from "./look.js";
import { screenshot } from "./picture.js";
import { visit } from "./visit.js";
import { wait } from "./wait.js";

/** Extra time for starting Chrome and reading the page around a navigation. */
const NAVIGATION_EXTRA_MS = 10_000;
const DEFAULT_WAIT_MS = 10_000;

/** Carries out one instruction as commands of the app wire. Throws when it fails. */
export async function perform(context: ActionContext, instruction: BrowserInstruction): Promise<ActionYield> {
  warnAboutUnused(context, instruction);
  switch (instruction.type) {
    case "start":
    case "navigate":
      return visit(context, instruction);
    case "click":
      return click(context, instruction);
    case "type":
      return type(context, instruction);
    case "scroll":
      return scroll(context, instruction);
    case "screenshot":
      return screenshot(context, instruction);
    case "press":
      return press(context, instruction);
    case "hover":
      return hover(context, instruction);
    case "select":
      return select(context, instruction);
    case "wait":
      return wait(context, instruction);
    case "evaluate":
      return evaluate(context, instruction);
    case "diagnose":
      return diagnose(context, instruction);
    case "observe":
      return observe(context, instruction);
    case "dialog":
      return dialog(context, instruction);
    case "upload":
      return upload(context, instruction);
    case "switch":
      return switchPage(context, instruction);
    case "stop":
      return {};
  }
}

/** An instruction may name its element in several ways; one of them is used. */
function warnAboutUnused({ logs }: ActionContext, instruction: BrowserInstruction): void {
  const ways = ["ref", "selector", "targets", "xRange"] as const;
  const [used, ...unused] = ways.filter((way) => (instruction as Record<string, unknown>)[way] !== undefined);
  if (unused.length === 0) return;
  const names = unused.map((way) => (way === "xRange" ? "xRange with yRange" : way)).join(" and ");
  logs.tool("warning", `the element is named by ${used}; ${names} is ignored`);
}

/** How long an instruction may take in all, if its page no longer answers. */
export function deadlineOf(instruction: BrowserInstruction, timeoutMs: number): number {
  switch (instruction.type) {
    case "start":
    case "navigate":
      return (instruction.timeoutMs ?? timeoutMs) + NAVIGATION_EXTRA_MS;
    case "diagnose":
      return timeoutMs + NAVIGATION_EXTRA_MS;
    case "wait":
      return (instruction.ms ?? DEFAULT_WAIT_MS) + timeoutMs;
    case "type":
      return timeoutMs + instruction.text.length * (instruction.delay + 20);
    case "click":
      return instruction.visualVerify ? 3 * timeoutMs : timeoutMs;
    default:
      return timeoutMs;
  }
}
