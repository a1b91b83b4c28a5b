import { setTimeout as sleep } from "node:timers/promises";
import { BridgeError, type CommandOf, FIELD_LIMITS } from "@debug-bridge/protocol";
import type { CdpSession } from "./cdp.js";
import type { EngineLink } from "./engine/engine-link.js";
import type { Box } from "./engine/link-messages.js";
import type { LiveDocument } from "./navigation/documents.js";

const DEFAULT_QUALITY = 25;
/** Chrome does not render larger pictures, and they would not be useful. */
const MAX_SIDE = 16_384;
const SCROLL_BACK_TIMEOUT_MS = 2_000;
/** Each attempt halves the scale. */
const MAX_ATTEMPTS = 4;

/** A picture of what the page shows. */
export interface Screenshot {
  readonly mimeType: "image/jpeg";
  /** Base64. */
  readonly data: string;
  /** CSS pixels, for a picture of the whole page. */
  readonly width?: number;
  readonly height?: number;
  /** The page is longer or wider than the picture. */
  readonly truncated?: boolean;
}

type Options = Pick<CommandOf<"screenshot">, "target" | "labels" | "quality" | "fullPage"> & {
  /** The part of the tab's viewport to picture. */
  readonly area?: Box;
};

interface Area {
  readonly clip: Box | undefined;
  readonly size: Pick<Screenshot, "width" | "height" | "truncated">;
}

/** Takes a picture of the viewport, one element or the whole page, with refs drawn over it on request. */
export async function takeScreenshot(
  cdp: CdpSession,
  engine: EngineLink,
  document: LiveDocument | undefined,
  { target, labels, fullPage, area: part, quality = DEFAULT_QUALITY }: Options,
): Promise<Screenshot> {
  const area = part
    ? { clip: await onPage(cdp, part), size: {} }
    : target && document
      ? { clip: JSON.parse(await engine.call(document, "box", JSON.stringify(target))) as Box, size: {} }
      : fullPage
        ? await wholePage(cdp)
        : { clip: undefined, size: {} };
  const labelled = labels === true && document !== undefined;
  const position = fullPage ? await scrollPosition(cdp) : undefined;
  if (labelled) await engine.call(document, "showLabels", fullPage === true);
  try {
    return {
      mimeType: "image/jpeg",
      data: await capture(cdp, area.clip, quality, fullPage === true),
      ...area.size,
    };
  } finally {
    if (labelled) await engine.call(document, "hideLabels").catch(() => {});
    if (position !== undefined) await scrolledBack(cdp, position).catch(() => {});
  }
}

interface Scrolled {
  readonly pageX: number;
  readonly pageY: number;
  readonly clientWidth: number;
  readonly clientHeight: number;
}

async function scrolled(cdp: CdpSession): Promise<Scrolled> {
  return (await cdp.send<{ cssVisualViewport: Scrolled }>("Page.getLayoutMetrics")).cssVisualViewport;
}

/** What is in the viewport of a part of it, in coordinates of the page. */
async function onPage(cdp: CdpSession, { x, y, width, height }: Box): Promise<Box> {
  const { pageX, pageY, clientWidth, clientHeight } = await scrolled(cdp);
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const right = Math.min(clientWidth, x + width);
  const bottom = Math.min(clientHeight, y + height);
  return { x: left + pageX, y: top + pageY, width: right - left, height: bottom - top };
}

async function scrollPosition(cdp: CdpSession): Promise<string> {
  const { pageX, pageY } = await scrolled(cdp);
  return `${pageX},${pageY}`;
}

/** Chrome scrolls to draw the whole page, and back again after it has returned the picture; on a busy machine not always. */
async function scrolledBack(cdp: CdpSession, position: string): Promise<void> {
  for (const end = Date.now() + SCROLL_BACK_TIMEOUT_MS; Date.now() < end; await sleep(10))
    if ((await scrollPosition(cdp)) === position) return;
  const [left, top] = position.split(",");
  const expression = `scrollTo({ left: ${left}, top: ${top}, behavior: "instant" })`;
  await cdp.send("Runtime.evaluate", { expression });
}

async function wholePage(cdp: CdpSession): Promise<Area> {
  const { cssContentSize } = await cdp.send<{ cssContentSize: { width: number; height: number } }>(
    "Page.getLayoutMetrics",
  );
  const width = Math.min(Math.ceil(cssContentSize.width), MAX_SIDE);
  const height = Math.min(Math.ceil(cssContentSize.height), MAX_SIDE);
  const truncated = width < cssContentSize.width || height < cssContentSize.height;
  return {
    clip: { x: 0, y: 0, width, height },
    size: { width, height, ...(truncated ? { truncated } : {}) },
  };
}

/** A picture that fits the wire: what is too large is drawn at a smaller scale. */
async function capture(
  cdp: CdpSession,
  clip: Box | undefined,
  quality: number,
  beyondViewport: boolean,
): Promise<string> {
  let scale = 1;
  for (let attempt = 1; ; attempt++, scale /= 2) {
    const { data } = await cdp.send<{ data: string }>("Page.captureScreenshot", {
      format: "jpeg",
      quality,
      ...(clip ? { clip: { ...clip, scale } } : {}),
      ...(beyondViewport ? { captureBeyondViewport: true } : {}),
    });
    if (data.length <= FIELD_LIMITS.blob || !clip) return data;
    if (attempt === MAX_ATTEMPTS)
      throw new BridgeError(
        "not_supported",
        `the picture has ${data.length} characters, more than the ${FIELD_LIMITS.blob} that a message may hold. Use a lower quality, or a target`,
      );
  }
}
