import { nextFrame, sleep } from "../../receipt/idle.js";
import { containsAcross } from "../../view/elements/dom.js";
import { hitTest, type Point } from "../../view/elements/visibility.js";
import { firePointer, viewOf } from "./events.js";
import { followCapture, type PointerCapture } from "./pointer-capture.js";

const BETWEEN_MOVES_MS = 40;

/** Drags by HTML drag and drop if the source is draggable, else by pointer movement. */
export async function syntheticDrag(
  source: Element,
  from: Point,
  target: Element,
  reach: () => readonly Point[],
  moveTo: (element: Element, point: Point) => void,
): Promise<void> {
  let way: readonly Point[] = [from];
  moveTo(source, from);
  const grip = within(source, from);
  const down = { point: from, button: "left", held: true, detail: 1 } as const;
  const capture = followCapture(source, from);
  try {
    const proceed = !firePointer(grip, "pointerdown", down) || firePointer(grip, "mousedown", down);
    way = reach();
    const draggable = proceed ? grip.closest("[draggable=true],img,a[href]") : null;
    if (draggable) await dragAndDrop(draggable, from, target, way);
    else await movePointer(source, target, way, capture);
  } finally {
    capture.end(way.at(-1) ?? from);
  }
}

async function dragAndDrop(
  source: Element,
  from: Point,
  target: Element,
  way: readonly Point[],
): Promise<void> {
  const data = new (viewOf(source).DataTransfer)();
  if (!firePointer(source, "dragstart", { point: from, data })) return;
  let to = from;
  let over: Element | undefined;
  let accepted = false;
  for (to of way) {
    // Libraries prepare the drag in a separate task, and move other elements out of the way.
    await sleep(BETWEEN_MOVES_MS);
    firePointer(source, "drag", { point: to, data });
    const at = hitTest(target, to) ?? target;
    if (at !== over) firePointer(at, "dragenter", { point: to, data });
    if (at !== over && over) firePointer(over, "dragleave", { point: to, data });
    over = at;
    // An app that accepts the drop prevents the default of dragover; without that there is no drop.
    accepted = !firePointer(over, "dragover", { point: to, data });
  }
  if (over) firePointer(over, accepted ? "drop" : "dragleave", { point: to, data });
  if (source.isConnected) firePointer(source, "dragend", { point: to, data });
}

async function movePointer(
  source: Element,
  target: Element,
  way: readonly Point[],
  capture: PointerCapture,
): Promise<void> {
  for (const point of way) {
    const under = capture.holder ?? hitTest(target, point) ?? source;
    for (const type of ["pointermove", "mousemove"])
      firePointer(under, type, { point, button: "left", held: true });
    await nextFrame(source.ownerDocument.hidden);
  }
  const point = way.at(-1) as Point;
  const end = capture.holder ?? hitTest(target, point) ?? target;
  firePointer(end, "pointerup", { point, button: "left" });
  firePointer(end, "mouseup", { point, button: "left", detail: 1 });
}

/** What a press at this point really meets: a child of the element, such as the icon in a button. */
export function within(element: Element, point: Point): Element {
  const hit = hitTest(element, point);
  return hit && containsAcross(element, hit) ? hit : element;
}
