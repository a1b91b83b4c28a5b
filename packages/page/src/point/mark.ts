import type { PageView } from "../view/view.js";
import { Overlay } from "./overlay.js";

const NAME_LENGTH = 200;

/** The one mark of a page: a frame around an element with its name, or a hint. */
export class Mark {
  private readonly overlay: Overlay;

  constructor(
    private readonly view: PageView,
    own: (node: Node) => void,
  ) {
    this.overlay = new Overlay(view.page, own);
  }

  show(element: Element): void {
    const { ref, role, text } = this.view.itemOf(element);
    this.overlay.show(element, [ref, role, text].filter(Boolean).join(" ").slice(0, NAME_LENGTH));
  }

  setText(text: string): void {
    this.overlay.setText(text);
  }

  hide(): void {
    this.overlay.hide();
  }
}
