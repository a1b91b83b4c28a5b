import { sourceReader } from "@debug-bridge/page/source";
import { pieceIn } from "@debug-bridge/page/source-forms";

const read = sourceReader();

/**
 * Runs in the page's own world, with an element: what frameworks attach to elements can be read only there. What has to be looked up in
 * the scripts of the page is left out.
 */
export function sourceOf(element: Element): string {
  const source = read(element);
  return pieceIn(source.split("\n", 2)[1] ?? "") ? "" : source;
}
