/** The pixels of a picture, four bytes each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** A part of a picture, in parts of its width and height from 0 to 1. */
export interface ChangedBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels are compared in squares of this side. */
const CELL = 8;
/** JPEG changes colours a little; a square differs when some channel of one of its pixels differs by more than this. */
const TOLERANCE = 48;
const MAX_BOXES = 12;

/** Where two pictures of the same size differ: a box around each connected part. `undefined` when their sizes differ. */
export function changedBoxes(before: Pixels, after: Pixels): ChangedBox[] | undefined {
  const { width, height } = before;
  if (after.width !== width || after.height !== height) return undefined;
  const columns = Math.ceil(width / CELL);
  const rows = Math.ceil(height / CELL);
  const differs = new Uint8Array(columns * rows);
  for (let at = 0; at < before.data.length; at++) {
    if (Math.abs((before.data[at] as number) - (after.data[at] as number)) <= TOLERANCE) continue;
    const pixel = at >> 2;
    const row = Math.floor(Math.floor(pixel / width) / CELL);
    differs[row * columns + Math.floor((pixel % width) / CELL)] = 1;
  }
  const boxes: ChangedBox[] = [];
  for (let start = 0; start < differs.length; start++)
    if (differs[start] === 1) boxes.push(connectedBox(differs, columns, rows, start));
  return largest(boxes);
}

const largest = (boxes: ChangedBox[]): ChangedBox[] =>
  boxes.sort((a, b) => b.width * b.height - a.width * a.height).slice(0, MAX_BOXES);

/** A part of the page as a box in a picture of it; undefined when nothing of it is in the picture. */
export function boxInside(
  rect: Pick<DOMRect, "left" | "top" | "right" | "bottom">,
  { width, height }: { readonly width: number; readonly height: number },
): ChangedBox | undefined {
  const left = Math.max(0, rect.left / width);
  const top = Math.max(0, rect.top / height);
  const box = {
    ...{ left, top },
    width: Math.min(1, rect.right / width) - left,
    height: Math.min(1, rect.bottom / height) - top,
  };
  return box.width > 0 && box.height > 0 ? box : undefined;
}

/** The boxes that are in no other one. A box around everything would hide all others, so it does not. */
export function outermost(boxes: readonly ChangedBox[]): ChangedBox[] {
  const sorted = [...boxes].sort((a, b) => b.width * b.height - a.width * a.height);
  const kept: ChangedBox[] = [];
  for (const box of sorted) {
    const isInside = kept.some((other) => isIn(box, other) && (isIn(other, box) || !isWhole(other)));
    if (!isInside) kept.push(box);
  }
  return largest(kept);
}

const isWhole = ({ width, height }: ChangedBox): boolean => width > 0.95 && height > 0.95;

const isIn = (inner: ChangedBox, outer: ChangedBox): boolean =>
  inner.left >= outer.left &&
  inner.top >= outer.top &&
  inner.left + inner.width <= outer.left + outer.width &&
  inner.top + inner.height <= outer.top + outer.height;

/** The box around the part that contains a square. Squares with one between them belong together. */
function connectedBox(differs: Uint8Array, columns: number, rows: number, start: number): ChangedBox {
  let [left, top, right, bottom] = [columns, rows, 0, 0];
  const open = [start];
  differs[start] = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % columns, Math.floor(at / columns)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    for (let nextY = Math.max(0, y - 2); nextY <= Math.min(rows - 1, y + 2); nextY++)
      for (let nextX = Math.max(0, x - 2); nextX <= Math.min(columns - 1, x + 2); nextX++) {
        const next = nextY * columns + nextX;
        if (differs[next] !== 1) continue;
        differs[next] = 0;
        open.push(next);
      }
  }
  return {
    left: left / columns,
    top: top / rows,
    width: (right - left) / columns,
    height: (bottom - top) / rows,
  };
}
