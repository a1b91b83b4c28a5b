import type { ForeignFrame } from "./foreign-frame.js";
import { inTime } from "./in-time.js";

/** Frames in the order in which they are in the page, each before those inside it. Where one is unknown, it is last. */
export async function inReadingOrder(frames: readonly ForeignFrame[]): Promise<ForeignFrame[]> {
  if (frames.length < 2) return [...frames];
  const placed = await Promise.all(
    frames.map(async (frame) => ({
      frame,
      path: await inTime(pathOf(frame)).catch(() => [Number.POSITIVE_INFINITY]),
    })),
  );
  return placed.sort((a, b) => compare(a.path, b.path)).map(({ frame }) => frame);
}

async function pathOf(frame: ForeignFrame): Promise<number[]> {
  const owner = await frame.owner;
  if (!owner) return [Number.POSITIVE_INFINITY];
  const around = owner.frame ? await pathOf(owner.frame) : [];
  const inside = JSON.parse(await owner.host.engine.callWith(owner.objectId, "pathTo")) as number[];
  return [...around, ...inside];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? -1 : (a[at] as number) - (b[at] ?? -1);
}
