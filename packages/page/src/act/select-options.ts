import { BridgeError, type CommandOf, type CommandOutcome } from "@debug-bridge/protocol";
import { platform } from "../inert/platform.js";
import type { PageInput } from "../input.js";
import type { Masker } from "../privacy/masker.js";
import { nextFrame } from "../receipt/idle.js";
import { squash } from "../view/elements/dom.js";
import { nameOf } from "../view/elements/names.js";
import { pressPoint } from "../view/elements/visibility.js";
import type { PageView } from "../view/view.js";
import { makeActionable } from "./actionable.js";
import { fire, viewOf } from "./input/events.js";
import { resolveTarget } from "./resolve.js";

const OPTIONS_MS = 2_000;

/** Chooses options of a list by value or label, and reports whether the app kept the choice. */
export async function selectOptions(
  view: PageView,
  input: PageInput,
  command: CommandOf<"select">,
): Promise<() => Promise<CommandOutcome>> {
  const found = resolveTarget(view, command.target);
  const element = (found.localName === "label" && (found as HTMLLabelElement).control) || found;
  makeActionable(view, element);
  if (element.localName !== "select") return selectInWidget(view, input, element, command.values);
  const select = element as HTMLSelectElement;
  const options = command.values.map((value) => optionOf(select, value, view.masker));
  if (options.length > 1 && !select.multiple) {
    throw new BridgeError(
      "not_actionable",
      `the list takes one value, and ${options.length} were given. Nothing was done`,
    );
  }
  const before = chosen(select);
  select.focus({ preventScroll: true });
  const setSelected = Object.getOwnPropertyDescriptor(
    viewOf(select).HTMLOptionElement.prototype,
    "selected",
  )?.set;
  if (select.multiple)
    for (const option of select.options) setSelected?.call(option, options.includes(option));
  else setSelected?.call(options[0], true);
  fire(select, "input");
  fire(select, "change");
  const wanted = options.map((option) => option.value).sort();
  return async () => {
    await nextFrame(view.page.hidden);
    const now = chosen(select);
    const applied = String(now) === String(wanted);
    const secret = view.masker.isSecretField(select);
    const value = { values: secret ? [] : now };
    if (applied) return { applied, value };
    const back =
      String(now) === String(before) ? "the app restored the old choice" : "the app made another choice";
    return {
      applied,
      value,
      message: `${back}; the list holds ${now.map((each) => `"${secret ? view.masker.mask : each}"`).join(", ") || "nothing"}`,
    };
  };
}

function chosen(select: HTMLSelectElement): string[] {
  return [...select.selectedOptions].map((option) => option.value).sort();
}

function optionOf(select: HTMLSelectElement, wanted: string, masker: Masker): HTMLOptionElement {
  const options = [...select.options];
  const option =
    options.find((each) => each.value === wanted) ??
    options.find((each) => squash(each.label) === squash(wanted));
  if (!option) {
    const shown = (each: HTMLOptionElement): string =>
      masker.isSecretField(select) || masker.isPrivate(each) ? masker.mask : squash(each.label);
    throw noOption(wanted, options.map(shown));
  }
  if (option.disabled || option.closest("optgroup")?.disabled) {
    throw new BridgeError("not_actionable", `option "${wanted}" is disabled. Nothing was done`);
  }
  return option;
}

function noOption(wanted: string, labels: readonly string[]): BridgeError {
  const shown = labels.slice(0, 20).map((label) => `"${label}"`);
  const more = labels.length > 20 ? ` and ${labels.length - 20} more` : "";
  return new BridgeError(
    "target_not_found",
    `the list has no option "${wanted}"; it has ${shown.join(", ") || "none"}${more}`,
    { field: "values" },
  );
}

/** Lists made of ARIA roles: opened when closed, then the options are clicked. */
async function selectInWidget(
  view: PageView,
  input: PageInput,
  widget: Element,
  values: readonly string[],
): Promise<() => Promise<CommandOutcome>> {
  const click = async (element: Element): Promise<void> => {
    const pointed = makeActionable(view, element);
    await input.click(pointed, pressPoint(pointed), { button: "left", count: 1, modifiers: [] });
    await nextFrame(view.page.hidden);
  };
  const listOf = (): Element | null => {
    if (widget.querySelector("[role=option]")) return widget;
    const id = widget.getAttribute("aria-controls") ?? widget.getAttribute("aria-owns");
    return id ? (widget.getRootNode() as Document).getElementById(id) : null;
  };
  if (!listOf()?.querySelector("[role=option]")) {
    if (!/^(?:combobox|listbox|button)$/.test(view.itemOf(widget).role)) {
      throw new BridgeError(
        "not_actionable",
        `${view.itemOf(widget).role} is not a list; use click. Nothing was done`,
      );
    }
    await click(widget);
  }
  const optionsNow = (): Element[] => [...(listOf() ?? view.page).querySelectorAll("[role=option]")];
  let options = optionsNow();
  // Many lists ask a server, or wait for an animation, before they have any.
  for (const ends = platform.now() + OPTIONS_MS; options.length === 0 && platform.now() < ends; ) {
    await nextFrame(view.page.hidden);
    options = optionsNow();
  }
  for (const value of values) {
    const option = options.find(
      (each) => each.getAttribute("data-value") === value || nameOf(each) === value,
    );
    if (!option)
      throw noOption(
        value,
        options.map((option) => nameOf(option, view.masker)),
      );
    if (option.isConnected) await click(option);
  }
  return async () => ({});
}
