import type { PageView } from "../view/view.js";
import { appScripts, NOT_OF_APP } from "./app-scripts.js";
import { type FoundPlace, placeOfCode } from "./code-places.js";
import { pieceIn } from "./frameworks/forms.js";
import { type SourceOf, sourceReader } from "./frameworks/page-world.js";
import { markupPlaces } from "./markup-places.js";
import { projectRoot } from "./project-root.js";
import { type ServedFile, ServedFiles } from "./served-files.js";
import { placeOfTemplate } from "./template-places.js";
import { checkMarks, type IsMisplaced } from "./written-lines.js";

/** Where an element was written, as far as that is certain. */
export interface ElementSource {
  readonly component: string;
  /** A path from the root of the project, as far as that is known. */
  readonly file: string;
  /** 0 when only the file is known. */
  readonly line: number;
}

/** A frame of a stack: the place in the code that runs. */
const FRAME = /((?:https?|webpack-internal|file):\/\/\S+?):(\d+):(\d+)\)?$/;
/** Functions of React that stand between the app's frames of a server component. */
const OF_REACT = /\bat (?:Object\.)?(?:fakeJSXCallSite|react_stack_bottom_frame) /;
const PLACE = /^(.+?):(\d+)(?::\d+)?$/;

const served = new ServedFiles();

/**
 * Looks up where the elements of a page were written. A place in code that runs is mapped back, and counts only if the file that was
 * written has the element there.
 */
export async function sourcesIn(view: PageView): Promise<(element: Element) => ElementSource | undefined> {
  const { page, tree } = view;
  const elements = [...page.getElementsByTagName("*"), ...tree.entries.map(({ element }) => element)];
  return lookUp(view, elements, view.pageWorld?.sources(true) ?? sourceReader());
}

async function lookUp(
  view: PageView,
  elements: readonly Element[],
  raw: SourceOf,
): Promise<(element: Element) => ElementSource | undefined> {
  const known = new Map(elements.map((element) => [element, raw(element)]));
  const texts = [...new Set(known.values())];
  await served.read(
    texts.flatMap((text) => frameIn(text)?.url ?? []),
    view.pageWorld,
  );
  const isPlain = projectRoot() !== "" && texts.every(isOfPlainPage);
  const scripts = isPlain || texts.some((text) => pieceIn(placeLine(text))) ? await appScripts(view) : [];
  const markup = isPlain ? await markupPlaces(view, scripts) : undefined;
  const isMisplaced = await checkMarks(view, texts.map(placeLine), served);
  const found = new Map<string, ElementSource | undefined>();
  return (element) => {
    const text = known.get(element) ?? raw(element);
    const written = text === "" ? markup?.(element) : undefined;
    if (written) return { component: "", file: pathOf(hrefOf(written)), line: written.line };
    const key = `${element.localName}\n${text}`;
    if (!found.has(key)) found.set(key, resolve(text, element.localName, scripts, isMisplaced));
    return found.get(key);
  };
}

/** Whether an element says nothing of a framework: nothing at all, or who listens to it. */
const isOfPlainPage = (text: string): boolean => text === "" || pieceIn(placeLine(text))?.code?.tag === "";

/** A source on one line: `src/app.tsx:6 App`. */
export function sourceLine({ component, file, line }: ElementSource): string {
  return `${file}${line > 0 ? `:${line}` : ""}${component ? ` ${component}` : ""}`.trim();
}

interface Frame {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** The first frame of the app in a text. */
function frameIn(text: string): Frame | undefined {
  for (const each of text.split("\n")) {
    const [, url = "", line, column] = FRAME.exec(each) ?? [];
    if (url === "" || NOT_OF_APP.test(url) || OF_REACT.test(each)) continue;
    return { url, line: Number(line), column: Number(column) };
  }
  return undefined;
}

const placeLine = (text: string): string => text.split("\n", 2)[1] ?? "";

function resolve(
  text: string,
  tag: string,
  scripts: readonly ServedFile[],
  isMisplaced: IsMisplaced,
): ElementSource | undefined {
  const [component = ""] = text.split("\n", 1);
  const first = placeLine(text);
  const piece = pieceIn(first);
  const frame = piece ? undefined : frameIn(text);
  if (piece ?? frame) {
    const place =
      (piece?.code && placeOfCode(piece.code, scripts)) ??
      (piece?.template && placeOfTemplate(piece.template, scripts)) ??
      (frame && placeOfFrame(frame));
    const isFunction = piece?.code?.tag === "";
    const isThere = place && (isFunction || writes(place, tag));
    if (place && isThere) return { component, file: pathOf(hrefOf(place)), line: place.line };
    return component && !isFunction ? { component, file: "", line: 0 } : undefined;
  }
  const [, file = first, line] = PLACE.exec(first) ?? [];
  if ((file === "" && component === "") || isMisplaced(first, tag)) return undefined;
  return { component, file: pathOf(file), line: Number(line ?? 0) };
}

function placeOfFrame({ url, line, column }: Frame): FoundPlace | undefined {
  const place = served.of(url)?.find(line, column - 1);
  return place && { ...place, base: url };
}

const hrefOf = ({ source, base }: FoundPlace): string => new URL(source, base).href;

/** Whether the element begins where the map leads: `<button` in markup, or a call that creates one. */
function writes({ content, line, column }: FoundPlace, tag: string): boolean {
  const lines = content?.toLowerCase().split("\n") ?? [];
  const here = (lines[line - 1] ?? "").slice(Math.max(0, column - 1));
  const name = tag.toLowerCase();
  const next = here.indexOf(`<${name}`) + name.length + 1;
  if (next > name.length && !/[\w.:-]/.test(here[next] ?? "")) return true;
  // The name of the element may be on the next line of a call.
  return new RegExp(`["'\`]${name}["'\`]`).test(`${here}\n${lines[line] ?? ""}`);
}

/** A path without the address of the server and the folder of the project. */
function pathOf(file: string): string {
  const path = file
    .replace(/^(?:https?:\/\/[^/]+|webpack:\/\/[^/]*|file:\/\/)\/(?:\.\/)?/, "/")
    .replace(/[?#].*$/, "")
    .replace(/^\/@fs(?=\/)/, "");
  const root = projectRoot();
  const isServed = /^https?:/.test(file);
  if (root && path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  return isServed ? path.slice(1) : path.replace(/^\.\//, "");
}
