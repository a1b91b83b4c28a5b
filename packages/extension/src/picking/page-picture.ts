import type { SentImage } from "@debug-bridge/protocol";
import { send } from "./cdp.js";

/** Around an element, so that people and models see where it is. */
const MARGIN = 12;
/** CSS pixels: more says nothing more. */
const MAX_SIDE = 1_600;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Metrics {
  readonly cssVisualViewport: {
    readonly pageX: number;
    readonly pageY: number;
    readonly clientWidth: number;
    readonly clientHeight: number;
  };
}

/** What the tab shows now. */
export async function capturePage(tabId: number): Promise<SentImage> {
  const { cssVisualViewport: view } = await send<Metrics>(tabId, "Page.getLayoutMetrics");
  return capture(tabId, {
    ...{ x: view.pageX, y: view.pageY },
    ...{ width: view.clientWidth, height: view.clientHeight },
  });
}

/** An element with a little of what is around it, as far as the tab shows it. */
export async function captureElement(tabId: number, backendNodeId: number): Promise<SentImage | undefined> {
  const [{ cssVisualViewport: view }, { quads }] = await Promise.all([
    send<Metrics>(tabId, "Page.getLayoutMetrics"),
    send<{ quads: number[][] }>(tabId, "DOM.getContentQuads", { backendNodeId }),
  ]);
  const xs = quads.flatMap((quad) => quad.filter((_, i) => i % 2 === 0));
  const ys = quads.flatMap((quad) => quad.filter((_, i) => i % 2 === 1));
  if (xs.length === 0) return undefined;
  const left = Math.max(0, Math.min(...xs) - MARGIN);
  const top = Math.max(0, Math.min(...ys) - MARGIN);
  const width = Math.min(view.clientWidth, Math.max(...xs) + MARGIN) - left;
  const height = Math.min(view.clientHeight, Math.max(...ys) + MARGIN) - top;
  if (width <= 0 || height <= 0) return undefined;
  return capture(tabId, { x: view.pageX + left, y: view.pageY + top, width, height });
}

async function capture(tabId: number, area: Area): Promise<SentImage> {
  const scale = Math.min(1, MAX_SIDE / Math.max(area.width, area.height));
  const { data } = await send<{ data: string }>(tabId, "Page.captureScreenshot", {
    ...{ format: "webp", quality: 85 },
    clip: { ...area, scale },
  });
  return { mimeType: "image/webp", data };
}
