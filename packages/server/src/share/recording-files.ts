import { pictureTimes, readPicture } from "@debug-bridge/journal";
import type { SharedFile } from "./collect.js";

/** In the place of a picture: from this time on, no pictures of the page were taken. */
const NOTHING = Buffer.alloc(0);

/** The pictures of a recording between two moments, and the one before them. */
export function* recordingPictures(folder: string, from: number, to: number): Iterable<SharedFile> {
  for (const { at, isEnd } of withFirst(pictureTimes(folder), from, to)) {
    // One may have been removed meanwhile.
    const bytes = isEnd ? NOTHING : readPicture(folder, at);
    if (bytes) yield asFile({ at, bytes });
  }
}

/** A picture as a file of its time, as recordings have it. */
export const asFile = ({ at, bytes }: { readonly at: number; readonly bytes: Buffer }): SharedFile => ({
  ...{ name: `pictures/${at}.jpg`, type: "image/jpeg", bytes },
});

/** What is between two moments, oldest first, and the one before it, which is what the page showed at first. */
export function withFirst<Timed extends { readonly at: number }>(
  all: readonly Timed[],
  from: number,
  to: number,
): Timed[] {
  const first = Math.max(
    0,
    all.findLastIndex(({ at }) => at <= from),
  );
  return all.slice(first).filter(({ at }) => at <= to);
}
