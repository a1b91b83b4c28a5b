import { type ExtraActions, findElement, type PageInput, parseChord } from "@debug-bridge/page";

/** The browser's own text model of an editor that draws itself, such as Monaco. TypeScript does not know it yet. */
interface EditContext {
  readonly text: string;
}

const editContextOf = (element: Element): EditContext | undefined =>
  (element as Element & { editContext?: EditContext | null }).editContext ?? undefined;

/**
 * Types into editors that draw themselves: the element that gets the keys has no size, and what is seen is drawn beside
 * it, so the checks for fields do not apply. Everything else is typed into as usual.
 */
export function typeInEditors(input: PageInput): NonNullable<ExtraActions["type"]> {
  return async (view, { target, text, clear = false, submit = false }, type) => {
    const field = target.point ? undefined : editorOf(findElement(view, target));
    const editor = field && editContextOf(field);
    if (!editor) return type();
    const before = editor.text;
    field.focus({ preventScroll: true });
    await input.press(field, parseChord(clear ? "Control+a" : "Control+End"));
    await input.typeText(field, text);
    if (submit) await input.press(field, parseChord("Enter"));
    return () => ({
      applied: text === "" || submit || editor.text !== before,
      value: { value: view.masker.text(editor.text.slice(0, 1_000)) },
    });
  };
}

/** The element that takes the keys: the one that is named, the only one in it, or the one beside a hidden helper. */
function editorOf(element: Element): HTMLElement | undefined {
  if (editContextOf(element)) return element as HTMLElement;
  const around = element.ariaHidden === "true" ? element.parentElement : element;
  const boxes = [...(around?.querySelectorAll<HTMLElement>("[role=textbox]") ?? [])].filter(editContextOf);
  return boxes.length === 1 ? boxes[0] : undefined;
}
