/** The text model that the browser keeps for an editor that draws itself. TypeScript does not know it yet. */
interface EditContext extends EventTarget {
  readonly text: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
  updateText(start: number, end: number, text: string): void;
  updateSelection(start: number, end: number): void;
}

/** The text model of an element that takes the keys of an editor that draws itself, such as Monaco. */
export function editContextOf(element: Element): EditContext | undefined {
  return (element as Element & { editContext?: EditContext | null }).editContext ?? undefined;
}

/** What is selected in it: from where to where. */
export function selectionIn({ selectionStart: a, selectionEnd: b }: EditContext): [number, number] {
  return [Math.min(a, b), Math.max(a, b)];
}
