import { ReplayPlayer } from "./page/replay/replay-player.js";

/** What was drawn, in CSS pixels of the page. */
interface Drawn {
  /** How far the page is scrolled. */
  readonly x: number;
  readonly y: number;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly whole: { readonly width: number; readonly height: number };
  /** Where the element is that is wanted. */
  readonly box?: Box;
}

type Box = Pick<DOMRect, "x" | "y" | "width" | "height">;
type Label = readonly [ref: string, id: number];

/** Builds the page of an app from the events of a replay in this document, for a picture of it. */
async function drawPage(
  events: readonly unknown[],
  of: number | undefined,
  labels: readonly Label[],
): Promise<Drawn> {
  const player = new ReplayPlayer(document);
  player.add({ segment: 1, next: 1, lists: [events] });
  player.show();
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  finishAnimations();
  const { documentElement: root } = document;
  const whole = { width: root.scrollWidth, height: root.scrollHeight };
  if (labels.length > 0) root.append(labelLayer(player, labels));
  const element = of === undefined ? undefined : player.elementOf(of);
  return {
    ...{ x: scrollX, y: scrollY, whole },
    viewport: { width: innerWidth, height: innerHeight },
    ...(element ? { box: inPage(element) } : {}),
  };
}

/** In the page they began some time ago. */
function finishAnimations(): void {
  for (const animation of document.getAnimations())
    try {
      animation.finish();
    } catch {
      // It has no end.
    }
}

function inPage(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + scrollX, y: top + scrollY, width, height };
}

function labelLayer(player: ReplayPlayer, labels: readonly Label[]): HTMLElement {
  const layer = document.createElement("div");
  layer.style.cssText = "all:initial;position:absolute;left:0;top:0;z-index:2147483647";
  for (const [ref, id] of labels) {
    const element = player.elementOf(id);
    if (!element) continue;
    const { x, y, width, height } = inPage(element);
    if (width === 0 || height === 0) continue;
    const frame = document.createElement("div");
    frame.style.cssText = `position:absolute;box-sizing:border-box;border:1px solid #d4008f;left:${x}px;top:${y}px;width:${width}px;height:${height}px`;
    const label = document.createElement("span");
    label.textContent = ref;
    label.style.cssText =
      "position:absolute;left:-1px;top:-1px;background:#d4008f;color:#fff;font:bold 11px/13px monospace;padding:0 2px";
    frame.append(label);
    layer.append(frame);
  }
  return layer;
}

/** Put into the page of the Chrome that draws. */
Object.assign(globalThis, { DebugBridgeDrawPage: drawPage });
