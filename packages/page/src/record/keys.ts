const NAMED = /^(?:Enter|Escape|Tab|Arrow\w+|Home|End|Page\w+|F\d{1,2}|Delete|Backspace| )$/;
/** Keys that edit a text or move in it: what the text became is reported instead. */
const EDITING = /^(?:Arrow\w+|Home|End|Delete|Backspace| )$/;
const MODIFIER = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Process|Unidentified)$/;
const NOT_TYPED = /^(?:checkbox|radio|submit|button|reset|image|file|range|color)$/;

/** Whether a key does something that no other event reports. */
export function pressMatters({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, target?: Element): boolean {
  if (!key || MODIFIER.test(key)) return false;
  const isEditing = target !== undefined && isText(target);
  const isShortcut = ctrlKey || metaKey || altKey;
  if (isShortcut) return !(isEditing && /^[acvxyz]$/i.test(key));
  if (isEditing) return NAMED.test(key) && !EDITING.test(key) && !isNewLine(key, target);
  if (target?.localName === "select" || (target as HTMLInputElement | undefined)?.type === "range")
    return key === "Enter" || key === "Escape" || key === "Tab";
  return key.length === 1 || NAMED.test(key);
}

/** As Playwright writes it: `Enter`, `Control+k`. */
export function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const named = key === " " ? "Space" : key;
  const modifiers = [
    ...(ctrlKey ? ["Control"] : []),
    ...(altKey ? ["Alt"] : []),
    ...(metaKey ? ["Meta"] : []),
    ...(shiftKey && named.length > 1 ? ["Shift"] : []),
  ];
  return [...modifiers, named].join("+");
}

function isNewLine(key: string, target: Element): boolean {
  return key === "Enter" && (target.localName === "textarea" || (target as HTMLElement).isContentEditable);
}

function isText(element: Element): boolean {
  if ((element as HTMLElement).isContentEditable || element.localName === "textarea") return true;
  return element.localName === "input" && !NOT_TYPED.test((element as HTMLInputElement).type);
}
