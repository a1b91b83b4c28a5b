import type { RecordKind, TimelineBuckets } from "@debug-bridge/protocol";

export interface Lane {
  readonly name: string;
  readonly kinds: readonly RecordKind[];
  /** Name of the custom property that holds its colour. */
  readonly color: string;
}

/** From top to bottom. The last one shows what went wrong, of any kind. */
export const LANES: readonly Lane[] = [
  { name: "actions", kinds: ["action", "agent"], color: "--agent" },
  { name: "page", kinds: ["page", "state"], color: "--ink-quiet" },
  { name: "network", kinds: ["network", "frame"], color: "--accent" },
  { name: "console", kinds: ["console"], color: "--ink-quiet" },
  { name: "errors", kinds: [], color: "--error" },
];

const LANE_HEIGHT = 12;
const MIN_BAR = 2;

/** One number for each part of the time. */
export function laneCounts(buckets: TimelineBuckets, kinds: readonly RecordKind[]): readonly number[] {
  if (kinds.length === 0) return buckets.errors;
  return buckets.errors.map((_, part) =>
    kinds.reduce((sum, kind) => sum + (buckets.kinds[kind][part] ?? 0), 0),
  );
}

/** Draws all lanes. The height of a bar is the part of the lane's highest count, by its logarithm. */
export function drawLanes(canvas: HTMLCanvasElement, buckets: TimelineBuckets): void {
  const { clientWidth } = canvas;
  const scale = devicePixelRatio;
  canvas.width = Math.round(clientWidth * scale);
  canvas.height = Math.round(LANES.length * LANE_HEIGHT * scale);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(scale, scale);
  // Colours of the theme are resolved on an element: a canvas does not know `light-dark()`.
  const probe = canvas.parentElement as HTMLElement;
  LANES.forEach(({ kinds, color }, lane) => {
    const counts = laneCounts(buckets, kinds);
    const highest = Math.log1p(Math.max(1, ...counts));
    const width = clientWidth / counts.length;
    context.fillStyle = resolveColor(probe, color);
    counts.forEach((count, part) => {
      if (count === 0) return;
      const height = Math.max(MIN_BAR, ((LANE_HEIGHT - 2) * Math.log1p(count)) / highest);
      context.fillRect(part * width, (lane + 1) * LANE_HEIGHT - height - 1, Math.max(1, width - 0.5), height);
    });
  });
}

function resolveColor(probe: HTMLElement, name: string): string {
  const before = probe.style.color;
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.style.color = before;
  return color;
}
