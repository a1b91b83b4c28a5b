import { servedNote } from "@debug-bridge/protocol";
import type { Bridge } from "../bridge.js";

/** A place in a frame of a stack: `at save (http://localhost/src/shop.tsx:14:3)`. */
const PLACE = /(?<=\bat (?:[^\s()]{1,200} \()?)(https?:\/\/[^\s()]{1,2000}):(\d{1,9}):(\d{1,9})(?=[)\s]|$)/g;

/** A text with the stack of an error in it: each place becomes the one in the source, or says that it is of the served file. */
export async function placedFrames(
  text: string,
  page: string | undefined,
  { locate }: Pick<Bridge, "locate">,
): Promise<string> {
  const found = await Promise.all(
    [...text.matchAll(PLACE)].map(async ([, url = "", line, column]) => {
      const runs = { url, line: Number(line), column: Number(column) };
      const place = page === undefined ? undefined : await locate?.(runs, page).catch(() => undefined);
      const { url: file, line: row, column: at } = place ?? runs;
      return `${file}:${row}:${at}${place ? "" : servedNote(url)}`;
    }),
  );
  return text.replace(PLACE, () => found.shift() ?? "");
}
