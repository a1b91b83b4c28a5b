import { type CommandOutcome, estimateTokens } from "@debug-bridge/protocol";
import { deepActiveElement, squash } from "../../elements/dom.js";
import { editContextOf, selectionIn } from "../../elements/edit-context.js";
import type { PageView } from "../../view.js";
import { quoted } from "../outline/item-line.js";

/** More of what is selected is not shown. */
const LENGTH = 200;

/** What is selected, as a line: `selected in e12: "word"`. Empty when nothing is. */
export function selectionLine({ page, masker, tree }: PageView): string {
  const active = deepActiveElement(page);
  if (active && masker.isSecretField(active)) return "";
  const text = (active && selectedIn(active)) ?? selectedOn(active?.ownerDocument ?? page, masker);
  if (squash(text) === "") return "";
  const ref = active && tree.entryOf(active)?.item.ref;
  return `selected${ref ? ` in ${ref}` : ""}: ${quoted(text, LENGTH)}`;
}

/** Puts the line below a text, and takes what it costs from the budget of that text. */
export function withSelection(
  line: string,
  maxTokens: number,
  render: (maxTokens: number) => CommandOutcome,
): CommandOutcome {
  if (line === "") return render(maxTokens);
  const cost = estimateTokens(line) + 1;
  const answer = render(Math.max(1, maxTokens - cost));
  const { result = "", page } = answer;
  return {
    ...answer,
    result: `${result}\n${line}`,
    ...(page ? { page: { ...page, tokens: (page.tokens ?? 0) + cost } } : {}),
  };
}

/** What is selected in a field, or in an editor that draws itself; `undefined` for anything else. */
function selectedIn(element: Element): string | undefined {
  const model = editContextOf(element);
  if (model) return model.text.slice(...selectionIn(model));
  if (!/^(?:input|textarea)$/.test(element.localName)) return undefined;
  const { value, selectionStart, selectionEnd } = element as HTMLInputElement;
  return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
}

/** The selected text of a document, without what is private. */
function selectedOn(document: Document, masker: PageView["masker"]): string {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return "";
  const range = selection.getRangeAt(0);
  const { startContainer, startOffset, endContainer, endOffset, commonAncestorContainer } = range;
  const walker = document.createTreeWalker(commonAncestorContainer, 4);
  let text = "";
  for (
    let node: Node | null =
      commonAncestorContainer.nodeType === 3 ? commonAncestorContainer : walker.nextNode();
    node && text.length <= LENGTH;
    node = walker.nextNode()
  ) {
    const { parentElement } = node;
    if (!range.intersectsNode(node) || !parentElement?.checkVisibility() || masker.isPrivate(parentElement))
      continue;
    const end = node === endContainer ? endOffset : undefined;
    text += (node as Text).data.slice(node === startContainer ? startOffset : 0, end);
  }
  return text;
}
