import { BridgeError, type CommandOf, type UiTreeItem } from "@debug-bridge/protocol";
import { platform } from "../inert/platform.js";
import type { Activity } from "../receipt/activity.js";
import { isDisabled } from "../view/elements/describe.js";
import { isElement, type Root } from "../view/elements/dom.js";
import { VisibilityChecker } from "../view/elements/visibility.js";
import { innerTextOf } from "../view/text/reading/inner-text.js";
import type { PageView } from "../view/view.js";
import { findTarget } from "./resolve.js";

const DEFAULT_MAX_MS = 10_000;
const QUIET_MS = 500;

/** Resolves when the condition holds; fails with `timeout` and what was seen instead. */
export async function waitFor(
  view: PageView,
  activity: Activity,
  command: CommandOf<"wait_for">,
  signal: AbortSignal,
): Promise<void> {
  const maxMs = command.maxMs ?? command.timeoutMs ?? DEFAULT_MAX_MS;
  const ends = platform.now() + maxMs;
  const seen = { state: "nothing was checked" };
  for (;;) {
    if (signal.aborted) throw new BridgeError("cancelled", "waiting was cancelled");
    if (holds(view, activity, command, seen)) return;
    const left = ends - platform.now();
    if (left <= 0) {
      throw new BridgeError("timeout", `waited ${maxMs} ms; ${seen.state}`, { timeoutMs: maxMs });
    }
    await change(view, Math.min(left, 100), signal);
  }
}

/** The next change of the page, or the time after which to check anyway. */
function change(view: PageView, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      platform.clearTimeout(timer);
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = platform.setTimeout(done, ms);
    const stop = view.watch.listen(done);
    signal.addEventListener("abort", done);
  });
}

function holds(
  view: PageView,
  activity: Activity,
  command: CommandOf<"wait_for">,
  seen: { state: string },
): boolean {
  const { target, state = "visible", text, url, idle } = command;
  if (target && !inState(view, target, state, seen)) return false;
  if (text !== undefined && !view.tree.refresh().roots.some((root) => renderedText(root).includes(text))) {
    seen.state = `the text "${text}" is not on the page`;
    return false;
  }
  const here = view.page.defaultView?.location.href ?? "";
  if (url !== undefined && !here.includes(url)) {
    seen.state = `the URL is ${view.masker.url(here)}`;
    return false;
  }
  if (idle && (activity.inFlight() > 0 || platform.now() - view.watch.lastChange < QUIET_MS)) {
    seen.state = `${activity.inFlight()} requests are running, the last change was ${Math.round(platform.now() - view.watch.lastChange)} ms ago`;
    return false;
  }
  return true;
}

function inState(
  view: PageView,
  target: NonNullable<CommandOf<"wait_for">["target"]>,
  state: NonNullable<CommandOf<"wait_for">["state"]>,
  seen: { state: string },
): boolean {
  let element: Element | undefined;
  try {
    element = findTarget(view, target);
  } catch (thrown) {
    const { code, details } = thrown as BridgeError;
    // Several matches still exist, and a ref whose element left is a valid condition to wait for.
    const matches =
      code === "ambiguous_target" ? (details?.candidates as UiTreeItem[] | undefined) : undefined;
    const first = matches?.[0];
    if (first?.ref) element = view.refs.find(first.ref)?.element.deref();
    else if (code !== "stale_ref") throw thrown;
  }
  if (!element) {
    seen.state = "no element matches the target";
    return state === "detached" || state === "hidden";
  }
  const { visible } = new VisibilityChecker(view.isOurs).of(element);
  const disabled = isDisabled(element);
  seen.state = `the element is there, ${visible ? "visible" : "not visible"} and ${disabled ? "disabled" : "enabled"}`;
  switch (state) {
    case "attached":
      return true;
    case "detached":
      return false;
    case "hidden":
      return !visible;
    case "enabled":
      return visible && !disabled;
    default:
      return visible;
  }
}

/** What a person reads in a document, or in a shadow root: the text of a page does not hold that of its roots. */
function renderedText(root: Root): string {
  if (root.nodeType === 9) return innerTextOf((root as Document).body);
  let text = "";
  for (const node of root.childNodes) {
    if (node.nodeType === 3) text += node.nodeValue;
    if (!isElement(node) || !node.checkVisibility()) continue;
    const inline = node.ownerDocument.defaultView?.getComputedStyle(node).display === "inline";
    text += inline ? innerTextOf(node) : `\n${innerTextOf(node)}\n`;
  }
  return text;
}
