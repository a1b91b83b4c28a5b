import type { PageView } from "../view/view.js";
import type { FoundPlace } from "./code-places.js";
import { coverOf, elementsOf, type Written } from "./markup-match.js";
import { type ServedFile, textAt } from "./served-files.js";
import { templateLiterals } from "./template-literals.js";

interface WrittenMarkup extends Written {
  readonly at: readonly number[];
  readonly text: string;
  readonly source: string;
  readonly base: string;
}

/**
 * Where elements of a plain page were written, by the markup in template literals of its scripts. An element counts if exactly one
 * literal has it and all that is around it, and the document itself has nothing like it.
 */
export async function markupPlaces(
  view: Pick<PageView, "page" | "pageWorld">,
  scripts: readonly ServedFile[],
): Promise<(element: Element) => FoundPlace | undefined> {
  const all = scripts.flatMap(literalsIn);
  const served = all.length > 0 ? await servedDocument(view) : undefined;
  if (!served) return () => undefined;
  const parents = elementsOf(served.body);
  const literals = all.filter((literal) => !parents.some((parent) => coverOf(parent, [literal]).size > 0));
  const covers = new Map<Element, ReturnType<typeof coverOf<WrittenMarkup>>>();
  return (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      const cover = covers.get(at) ?? coverOf(at, literals);
      covers.set(at, cover);
      const found = cover.get(element);
      if (found) return found.literal && placeOf(found.literal, found.nth);
    }
    return undefined;
  };
}

function placeOf({ at, text, source, base }: WrittenMarkup, nth: number): FoundPlace {
  const before = text.slice(0, at[nth]);
  const line = before.split("\n").length;
  return { base, source, content: text, line, column: before.length - (before.lastIndexOf("\n") + 1) };
}

function literalsIn({ url, text, map }: ServedFile): WrittenMarkup[] {
  const files = map ? map.files() : [{ source: url, content: text }];
  return files.flatMap(({ source, content: written }) => {
    if (written === undefined || /\/node_modules\//.test(source)) return [];
    return templateLiterals(written, true).flatMap(({ content, elements }) =>
      elements && hasOwn(content)
        ? [{ content, at: elements.map(({ at }) => at), text: written, source, base: url }]
        : [],
    );
  });
}

/** Whether markup has more than names of elements, which others could have made too. */
const hasOwn = (content: DocumentFragment): boolean =>
  content.textContent?.trim() !== "" ||
  [...content.querySelectorAll("*")].some(({ attributes }) => attributes.length > 0);

/** The document as the development server sends it, before scripts changed it. */
async function servedDocument({
  page,
  pageWorld,
}: Pick<PageView, "page" | "pageWorld">): Promise<Document | undefined> {
  try {
    const text = await textAt(page.location.href.replace(/#.*$/, ""), pageWorld);
    return new DOMParser().parseFromString(text, "text/html");
  } catch {
    return undefined;
  }
}
