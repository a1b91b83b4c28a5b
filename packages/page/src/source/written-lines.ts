import type { PageView } from "../view/view.js";
import type { ServedFiles } from "./served-files.js";

/** `src/Page.svelte:6`, as Svelte marks its elements. In pages that a server rendered it counts them, and may count wrong. */
const MARK = /^(.+\.svelte):(\d+)$/;

/** Answers whether a mark cannot be right: the file that was written has no such element in that line. */
export type IsMisplaced = (mark: string, tag: string) => boolean;

/** Reads the files of marks that are not certain, as the page has loaded them. */
export async function checkMarks(
  { page, pageWorld }: Pick<PageView, "page" | "pageWorld">,
  marks: readonly string[],
  served: ServedFiles,
): Promise<IsMisplaced> {
  const files = new Set(marks.flatMap((mark) => MARK.exec(mark)?.[1] ?? []));
  const urls = new Map<string, string>();
  const loaded = files.size > 0 ? (page.defaultView?.performance.getEntriesByType("resource") ?? []) : [];
  for (const { name } of loaded) {
    const { pathname, search } = new URL(name);
    // A part of a file, such as its style, has its own name behind the question mark.
    if (!pathname.endsWith(".svelte") || /[?&]svelte\b/.test(search)) continue;
    for (const file of files) if (`/${file}`.endsWith(decodeURI(pathname))) urls.set(file, name);
  }
  await served.read(urls.values(), pageWorld);
  return (mark, tag) => {
    const [, file = "", line] = MARK.exec(mark) ?? [];
    const map = served.of(urls.get(file) ?? "");
    const text = map?.files().find(({ content }) => content !== undefined)?.content;
    const here = text?.split("\n")[Number(line) - 1];
    return here !== undefined && !new RegExp(`<${tag}(?![\\w.:-])`, "i").test(here);
  };
}
