import type { CommandOf } from "@debug-bridge/protocol";
import type { PageInput } from "../input.js";
import type { AfterSettling } from "../options.js";
import { nextFrame } from "../receipt/idle.js";
import { squash } from "../view/elements/dom.js";
import { editContextOf } from "../view/elements/edit-context.js";
import { innerTextOf } from "../view/text/reading/inner-text.js";
import type { PageView } from "../view/view.js";
import { parseChord } from "./input/keys.js";
import { resolveTarget } from "./resolve.js";

/** How much of the end of the typed text is looked for: editors draw only a part of long lines. */
const SHOWN_END = 40;

/** Editors break lines and draw spaces in their own way. */
const letters = (text: string): string => text.replace(/\s+/g, "");

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
  // Editors draw with the next frame what was changed just now.
  await nextFrame(view.page.hidden);
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
  const end = letters(text.slice(text.lastIndexOf("\n") + 1)).slice(-SHOWN_END);
  return () => {
    // What the browser's model of it holds is a part of the text, and not always the newest.
    const now = drawnAround(field);
    const isSame = now === before;
    // A change alone proves nothing: an editor that takes no text may say so beside it.
    const applied = text === "" || submit || (!isSame && letters(now).includes(end));
    if (applied) return { applied };
    return { applied, message: `the editor shows ${isSame ? "the same text as before" : "something else"}` };
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
