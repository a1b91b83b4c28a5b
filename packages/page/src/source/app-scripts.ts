import { platform } from "../inert/platform.js";
import type { PageView } from "../view/view.js";
import type { PageWorld } from "./frameworks/page-world.js";
import { readFile, type ServedFile } from "./served-files.js";

/** Scripts that are not the app's own: of packages, of the development server, and what a package beside the project was built to. */
export const NOT_OF_APP =
  /\/node_modules\/|\/chunks\/(?:ssr\/)?node_modules_|\/\.vite\/deps\/|\/@(?:vite|debug-bridge|react-refresh|id)\b|\/@fs\/.*\/dist\/|\/sdk[\w-]*\.js/;
const STATIC_IMPORT = /\b(?:from|import)\s*["']([^"'\n]+)["']/g;
const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
const MAX_SCRIPTS = 300;
/** The browser lists no more files than this, unless the page wants it. */
const LISTED = 250;
const MAX_CHARACTERS = 20_000_000;
/** Scripts change while somebody edits them. What was read is used for one burst of questions. */
const FRESH_MS = 2_000;

let scripts: Promise<readonly ServedFile[]> | undefined;
let readAt = 0;

/** The scripts of the app that the page has loaded, from its own server, as they are served now. */
export function appScripts({
  page,
  pageWorld,
}: Pick<PageView, "page" | "pageWorld">): Promise<readonly ServedFile[]> {
  if (scripts === undefined || platform.now() - readAt > FRESH_MS) {
    readAt = platform.now();
    scripts = readAll(page, pageWorld).catch(() => []);
  }
  return scripts;
}

/**
 * Only what the page has loaded is read: a server may react to the first request for a file. When the browser's list of that is full, what
 * the files import is read too.
 */
async function readAll(page: Document, world: PageWorld | undefined): Promise<ServedFile[]> {
  const files: ServedFile[] = [];
  const known = new Set<string>();
  const isNew = (url: string): boolean => {
    // A file that was updated in place has a time in its address. It is served as it is now under each of them.
    const { origin, pathname } = new URL(url);
    const address = origin + pathname;
    if (known.has(address) || known.size >= MAX_SCRIPTS || NOT_OF_APP.test(url)) return false;
    known.add(address);
    return origin === location.origin;
  };
  let characters = 0;
  const { isFull, urls } = scriptsOf(page);
  let next = urls.filter(isNew);
  while (next.length > 0 && characters < MAX_CHARACTERS) {
    const read = await Promise.all(next.map((url) => readFile(url, world).catch(() => undefined)));
    next = [];
    for (const file of read) {
      if (!file) continue;
      files.push(file);
      characters += file.text.length;
      for (const [, to = ""] of isFull ? file.text.matchAll(STATIC_IMPORT) : []) {
        const url = /^[./]/.test(to) ? new URL(to, file.url) : undefined;
        if (url && SCRIPT.test(url.pathname) && isNew(url.href)) next.push(url.href);
      }
    }
  }
  return files;
}

function scriptsOf(page: Document): { readonly isFull: boolean; readonly urls: string[] } {
  const window = page.defaultView as Window;
  const loaded = window.performance.getEntriesByType("resource").map(({ name }) => name);
  const scripts = loaded.filter((url) => /^https?:/.test(url) && SCRIPT.test(new URL(url).pathname));
  const urls = [...Array.from(page.scripts, ({ src }) => src), ...scripts].filter(Boolean);
  return { isFull: loaded.length >= LISTED, urls };
}
