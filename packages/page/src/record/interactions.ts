import type { Guard } from "../guard.js";
import { platform } from "../inert/platform.js";
import type { Masker } from "../privacy/masker.js";
import type { Emit } from "../telemetry.js";
import { closestAcross } from "../view/elements/dom.js";
import { type Interaction, InteractionReporter } from "./interaction-reporter.js";
import { keyOf, pressMatters } from "./keys.js";
import { ScrollReporter } from "./scrolls.js";

type Reported = Parameters<InteractionReporter["report"]>[2];

export interface InteractionContext {
  readonly window: Window & typeof globalThis;
  readonly guard: Guard;
  readonly masker: Masker;
  readonly emit: Emit;
  isOurs(node: Node): boolean;
  /** What was done before, with the path of each event: that is over when it was handled. */
  readonly early?: readonly (readonly [Event, readonly EventTarget[]])[] | undefined;
}

/** What a click inside it is about. */
const PRESSED =
  "button,a,input,select,textarea,summary,option,label,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[onclick]";
const TOGGLES = /^(?:checkbox|radio)$/;
/** The browser clicks a button itself when a key on it, or in its form, was pressed. */
const KEY_CLICK_MS = 100;
/** A longer text is reported when the field is left, not at every key. */
const MAX_LIVE_TEXT = 200;
const MODIFIERS = ["Alt", "Control", "Meta", "Shift"] as const;

/** Reports what is done in the page until it is stopped. */
export function observeInteractions(context: InteractionContext): () => void {
  const { window, guard, masker } = context;
  const page = window.document;
  let keyAt = Number.NEGATIVE_INFINITY;
  let labelled: { control: Element | null; at: number } | undefined;
  const reporter = new InteractionReporter(context);
  /** The path of an event that is over. */
  let pathBefore: readonly EventTarget[] | undefined;

  const report = (event: Event | undefined, target: Element | undefined, what: Reported): void =>
    reporter.report(event, target, what, pathBefore !== undefined);
  const targetOf = (event: Event): Element | undefined => {
    const [first] = (pathBefore ?? event.composedPath()) as Node[];
    const element = first?.nodeType === 3 ? first.parentElement : (first as Element | undefined);
    return element?.nodeType === 1 && !context.isOurs(element) ? element : undefined;
  };

  const onClick = (event: MouseEvent): void => {
    const hit = targetOf(event);
    if (!hit) return;
    const target = closestAcross(hit, PRESSED) ?? hit;
    const isByKey = event.isTrusted && event.detail === 0 && platform.now() - keyAt < KEY_CLICK_MS;
    // A click on a label clicks its control as well.
    const isByLabel = labelled?.control === target && platform.now() - labelled.at < KEY_CLICK_MS;
    labelled = undefined;
    if (isByKey || isByLabel) return;
    if (target.localName === "label") {
      const { control } = target as HTMLLabelElement;
      labelled = { control, at: platform.now() };
      if (control && isToggle(control)) return;
    }
    // These report what they became.
    if (isToggle(target) || target.localName === "select" || target.localName === "option") return;
    if ((target as HTMLInputElement).type === "file") return;
    const modifiers = MODIFIERS.filter((name) => event.getModifierState(name));
    report(event, target, {
      action: event.type === "dblclick" ? "dblclick" : "click",
      ...(modifiers.length > 0 ? { modifiers } : {}),
      ...(event.button === 2 ? { button: "right" } : event.button === 1 ? { button: "middle" } : {}),
    });
  };
  const onInput = (event: Event): void => {
    const target = targetOf(event);
    if (!target || isChosen(target)) return;
    const value = textOf(target);
    const committed = event.type === "change";
    if (committed || value.length <= MAX_LIVE_TEXT)
      report(event, editorOf(target), {
        action: "fill",
        ...visibleValue(target, value),
        ...(committed ? { committed } : {}),
      });
  };
  const visibleValue = (target: Element, value: string): Pick<Interaction, "value" | "secret"> => {
    if (!masker.isSecretField(target)) return { value: masker.text(value) };
    const name = target.getAttribute("name") || target.id || target.getAttribute("aria-label") || "secret";
    return { secret: name.slice(0, 100) };
  };
  const onChange = (event: Event): void => {
    const target = targetOf(event) as HTMLInputElement | undefined;
    if (!target) return;
    if (isToggle(target)) report(event, target, { action: target.checked ? "check" : "uncheck" });
    else if (target.localName === "select") {
      const chosen = [...(target as unknown as HTMLSelectElement).selectedOptions].map((each) => each.label);
      report(event, target, { action: "select", ...visibleValue(target, chosen.join("\n")) });
    } else if (target.type === "file")
      report(event, target, {
        action: "upload",
        files: [...(target.files ?? [])].map(({ name }) => masker.body(name)).slice(0, 20),
      });
    else onInput(event);
  };
  const onKey = (event: KeyboardEvent): void => {
    keyAt = platform.now();
    const target = targetOf(event);
    if (event.isComposing || event.repeat || !pressMatters(event, target)) return;
    const focused = target && target !== page.body ? target : undefined;
    report(event, focused, { action: "press", key: keyOf(event) });
  };
  const onKeyUp = (): void => {
    keyAt = platform.now();
  };

  const scrolls = new ScrollReporter(page, (element, x, y) =>
    report(undefined, element, { action: "scroll", x, y }),
  );
  const listeners: [string, (event: never) => void][] = [
    ["click", onClick],
    ["auxclick", onClick],
    ["dblclick", onClick],
    ["input", onInput],
    ["change", onChange],
    ["keydown", onKey],
    ["keyup", onKeyUp],
    ["wheel", () => scrolls.byPerson()],
    ["touchmove", () => scrolls.byPerson()],
    ["scroll", (event: Event) => scrolls.scrolled(event)],
  ];
  for (const [event, path] of context.early ?? []) {
    pathBefore = path;
    guard.run(() => listeners.find(([type]) => type === event.type)?.[1](event as never));
  }
  pathBefore = undefined;
  const added = listeners.map(([type, run]) => {
    const wrapped = guard.wrap(run as (event: Event) => void);
    window.addEventListener(type, wrapped, { capture: true, passive: true });
    return () => window.removeEventListener(type, wrapped, { capture: true });
  });
  return () => {
    scrolls.stop();
    for (const remove of added) remove();
  };
}

const isToggle = (element: Element): boolean =>
  element.localName === "input" && TOGGLES.test((element as HTMLInputElement).type);

/** Whether its value was chosen and not typed: its `change` event says what it is. */
function isChosen(element: Element): boolean {
  return isToggle(element) || element.localName === "select" || (element as HTMLInputElement).type === "file";
}

function textOf(element: Element): string {
  const { value } = element as HTMLInputElement;
  return typeof value === "string" ? value : (editorOf(element).textContent ?? "");
}

/** The element that the browser edits, for an element of editable text. */
function editorOf(element: Element): Element {
  if (!(element as HTMLElement).isContentEditable) return element;
  return closestAcross(element, "[contenteditable]") ?? element;
}
