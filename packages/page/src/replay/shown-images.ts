import type { PageView } from "../view/view.js";

/** What images may take of a snapshot together, in characters. */
const MAX_LENGTH = 1.5 * 1_024 * 1_024;
/** Larger images are drawn smaller. */
const MAX_SIDE = 1_280;
const QUALITY = 0.8;
/** What a page draws that is not in its DOM. */
const DRAWN = "img,canvas,video";

interface ShownImage {
  readonly element: Element;
  /** `data:image/…` */
  readonly data: string;
}

export interface ShownImages {
  readonly images: readonly ShownImage[];
  /** Images and frames that are seen and that scripts may not read, or that there is no room for. */
  readonly leftOut: number;
}

/** What images, canvases and films show now, as far as scripts may read it. `roots`: the page and its shadow roots. */
export function shownImages(
  roots: readonly (Document | ShadowRoot)[],
  { page }: PageView,
  wholePage: boolean,
  isKnown: (element: Element) => boolean,
): ShownImages {
  const { innerWidth, innerHeight } = page.defaultView as Window;
  const isSeen = (element: Element): boolean => {
    const { top, left, bottom, right, width, height } = element.getBoundingClientRect();
    const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return width > 0 && height > 0 && (wholePage || isInside);
  };
  const images: ShownImage[] = [];
  let [length, leftOut] = [0, 0];
  for (const root of roots)
    for (const element of root.querySelectorAll(`${DRAWN},iframe`)) {
      if (!isKnown(element) || !isSeen(element)) continue;
      const data = element.matches(DRAWN) ? pixelsOf(element as HTMLImageElement, page) : undefined;
      if (data === undefined || length + data.length > MAX_LENGTH) leftOut++;
      else {
        length += data.length;
        images.push({ element, data });
      }
    }
  return { images, leftOut };
}

/** `undefined` when it is of another origin, or not loaded. */
function pixelsOf(
  element: HTMLImageElement | HTMLCanvasElement | HTMLVideoElement,
  page: Document,
): string | undefined {
  const [width, height] =
    "naturalWidth" in element
      ? [element.naturalWidth, element.naturalHeight]
      : "videoWidth" in element
        ? [element.videoWidth, element.videoHeight]
        : [element.width, element.height];
  if (width === 0 || height === 0) return undefined;
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const copy = page.createElement("canvas");
  copy.width = Math.max(1, Math.round(width * scale));
  copy.height = Math.max(1, Math.round(height * scale));
  try {
    copy.getContext("2d")?.drawImage(element, 0, 0, copy.width, copy.height);
    return copy.toDataURL("image/webp", QUALITY);
  } catch {
    return undefined;
  }
}
