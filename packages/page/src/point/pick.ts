import type { CommandOutcome } from "@debug-bridge/protocol";
import type { CommandContext } from "../commands/run-command.js";
import type { Guard } from "../guard.js";
import { platform } from "../inert/platform.js";
import { describePicked, pickedText } from "./describe.js";
import type { Mark } from "./mark.js";
import { pickElement } from "./pick-element.js";

type PickContext = Pick<CommandContext, "view" | "activity" | "capture" | "emit" | "signal" | "loadPart">;

/** An overlay that nobody waits for must not take the person's clicks. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** It ends before the time of the command is over, so that there is still an answer. */
const SHARE_OF_TIME = 0.8;
const HINT = "Click an element. Escape cancels.";

/** Alt+Shift+P, which neither Chrome nor common apps use. */
const isPickKey = ({ code, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  code === "KeyP" && altKey && shiftKey && !ctrlKey && !metaKey;

/** The pick that runs in a page; another one replaces it. */
const running = new WeakMap<Document, AbortController>();
const withKey = new WeakSet<Document>();

/** Lets the person pick an element: reports it to the agents, and copies it for the person. */
export async function pick(
  context: PickContext,
  mark: Mark,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<CommandOutcome> {
  const { view, activity, capture, emit, signal, loadPart } = context;
  const { guard } = capture;
  const { page } = view;
  addPickKey(page, guard, () => pick({ ...context, signal: new AbortController().signal }, mark));
  running.get(page)?.abort();
  const controller = new AbortController();
  running.set(page, controller);
  signal.addEventListener("abort", () => controller.abort(), { once: true });
  const timer = platform.setTimeout(() => controller.abort(), timeoutMs * SHARE_OF_TIME);
  mark.setText(HINT);
  const options = {
    page,
    guard,
    isOurs: (node: Node) => view.isOurs(node),
    onOver: (element: Element) => mark.show(element),
  };
  const element = await pickElement(options, controller.signal);
  platform.clearTimeout(timer);
  if (running.get(page) === controller) {
    running.delete(page);
    mark.hide();
  }
  if (!element) return { value: { picked: false } };
  const picked = await describePicked({ view, activity, loadPart }, element);
  emit(picked);
  // Only pages on https or this machine have a clipboard, and the person may refuse.
  await page.defaultView?.navigator.clipboard
    ?.writeText(view.masker.message(pickedText(picked)))
    .catch(() => {});
  const { ref, role, name, source } = picked;
  const { selector } = view.itemOf(element);
  return { value: { picked: true, ref, role, name, selector, ...(source === undefined ? {} : { source }) } };
}

/** From now on the key starts a pick. */
export function addPickKey(page: Document, guard: Guard, start: () => unknown): void {
  if (withKey.has(page)) return;
  withKey.add(page);
  const onKey = guard.wrap((event: KeyboardEvent) => {
    if (!isPickKey(event)) return;
    event.preventDefault();
    start();
  });
  page.defaultView?.addEventListener("keydown", onKey, { capture: true });
}
