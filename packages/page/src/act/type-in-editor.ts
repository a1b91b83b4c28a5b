import type { CommandOf } from "@debug-bridge/protocol";
import type { PageInput } from "../input.js";
import type { AfterSettling } from "../options.js";
import { squash } from "../view/elements/dom.js";
import { editContextOf } from "../view/elements/edit-context.js";
import { innerTextOf } from "../view/text/inner-text.js";
import type { PageView } from "../view/view.js";
import { parseChord } from "./input/keys.js";
import { resolveTarget } from "./resolve.js";

/**
 * Types into editors that draw themselves: the element that gets the keys has no size, and what is seen is drawn beside
 * it, so the checks for fields do not apply. `undefined` for everything else.
 */
export async function typeInEditor(
  view: PageView,
  input: PageInput,
  { target, text, clear = false, submit = false }: CommandOf<"type">,
): Promise<AfterSettling | undefined> {
  const field = target.point ? undefined : editorOf(resolveTarget(view, target));
  if (!field) return undefined;
  const before = drawnAround(field);
  const isMac = /^Mac/.test(view.page.defaultView?.navigator.platform ?? "");
  const press = (chord: string): Promise<boolean> | boolean => input.press(field, parseChord(chord));
  field.focus({ preventScroll: true });
  if (clear) {
    await press(isMac ? "Meta+a" : "Control+a");
    if (text === "") await press("Backspace");
  } else await press(isMac ? "Meta+ArrowDown" : "Control+End");
  await input.typeText(field, text);
  if (submit) await press("Enter");
  const lastLine = squash(text.slice(text.lastIndexOf("\n") + 1));
  return () => {
    // What the browser's model of it holds is a part of the text, and not always the newest.
    const now = drawnAround(field);
    const applied = text === "" || submit || now !== before || now.includes(lastLine);
    return { applied, ...(applied ? {} : { message: "the editor shows the same text as before" }) };
  };
}

/** The element that takes the keys: the one that is named, the only one in it, or the one beside a hidden helper. */
function editorOf(element: Element): HTMLElement | undefined {
  if (editContextOf(element)) return element as HTMLElement;
  const around = element.ariaHidden === "true" ? element.parentElement : element;
  const boxes = [...(around?.querySelectorAll<HTMLElement>("[role=textbox]") ?? [])].filter(editContextOf);
  return boxes.length === 1 ? boxes[0] : undefined;
}

/** What the editor draws: the text of the smallest part around it that has some. */
function drawnAround(field: Element): string {
  for (let at = field.parentElement; at; at = at.parentElement) {
    const text = squash(innerTextOf(at));
    if (text !== "") return text;
  }
  return "";
}
