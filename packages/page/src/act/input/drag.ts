import { nextFrame } from "../../receipt/idle.js";
import { containsAcross } from "../../view/elements/dom.js";
import { hitTest, type Point } from "../../view/elements/visibility.js";
import { firePointer, viewOf } from "./events.js";
import { followCapture, type PointerCapture } from "./pointer-capture.js";

const STEPS = 5;

/** Drags by HTML drag and drop if the source is draggable, else by pointer movement. */
export async function syntheticDrag(
  source: Element,
  from: Point,
  target: Element,
  reach: () => Point,
  moveTo: (element: Element, point: Point) => void,
): Promise<void> {
  let to = from;
  moveTo(source, from);
  const grip = within(source, from);
  const down = { point: from, button: "left", held: true, detail: 1 } as const;
  const capture = followCapture(source, from);
  try {
    const proceed = !firePointer(grip, "pointerdown", down) || firePointer(grip, "mousedown", down);
    to = reach();
    const draggable = proceed ? source.closest<HTMLElement>("[draggable=true],img,a[href]") : null;
    if (draggable) await dragAndDrop(draggable, from, target, to);
    else await movePointer(source, from, target, to, capture);
  } finally {
    capture.end(to);
  }
}

async function dragAndDrop(source: Element, from: Point, target: Element, to: Point): Promise<void> {
  const view = viewOf(source);
  const dataTransfer = new view.DataTransfer();
  const send = (element: Element, type: string, point: Point): boolean =>
    element.dispatchEvent(
      new view.DragEvent(type, {
        bubbles: true,
        cancelable: true,
        composed: true,
        view,
        dataTransfer,
        clientX: point.x,
        clientY: point.y,
      }),
    );
  if (!send(source, "dragstart", from)) return;
  await nextFrame(source.ownerDocument.hidden);
  const over = within(target, to);
  send(source, "drag", to);
  send(over, "dragenter", to);
  // An app that accepts the drop prevents the default of dragover; without that there is no drop.
  const accepted = !send(over, "dragover", to);
  if (accepted) send(over, "drop", to);
  else send(over, "dragleave", to);
  if (source.isConnected) send(source, "dragend", to);
}

async function movePointer(
  source: Element,
  from: Point,
  target: Element,
  to: Point,
  capture: PointerCapture,
): Promise<void> {
  for (let step = 1; step <= STEPS; step++) {
    const part = step / STEPS;
    const point = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    const under = capture.holder ?? hitTest(source, point) ?? source;
    const details = { point, button: "left", held: true } as const;
    firePointer(under, "pointermove", details);
    firePointer(under, "mousemove", details);
    await nextFrame(source.ownerDocument.hidden);
  }
  const end = capture.holder ?? within(target, to);
  firePointer(end, "pointerup", { point: to, button: "left" });
  firePointer(end, "mouseup", { point: to, button: "left", detail: 1 });
}

function within(element: Element, point: Point): Element {
  const hit = hitTest(element, point);
  return hit && containsAcross(element, hit) ? hit : element;
}
