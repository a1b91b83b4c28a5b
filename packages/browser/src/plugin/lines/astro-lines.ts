/** Where Astro's compiler says that an element is: after the `>` of its tag, or after the `<` if it has no content. */
const PLACE = /\sdata-astro-source-loc="(\d+):(\d+)"/g;
/** The attribute that carries the line to the page, which removes it. */
export const LINE_ATTRIBUTE = "data-debug-bridge-line";
const MAX_TAG = 20_000;

/** A module of Astro, compiled from a source, whose elements carry the lines that they begin in. */
export function withAstroLines(compiled: string, source: string): string {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return compiled.replace(PLACE, (found, line: string, column: string) => {
    const start = starts[Number(line) - 1];
    const begin = start === undefined ? -1 : beginOfTag(source, start + Number(column) - 1);
    return begin < 0
      ? found
      : `${found} ${LINE_ATTRIBUTE}="${starts.filter((each) => each <= begin).length}"`;
  });
}

/** Where the tag begins that a place is about, or -1 if that is not certain. */
function beginOfTag(source: string, at: number): number {
  if (source[at - 1] === "<") return at - 1;
  if (source[at - 1] !== ">") return -1;
  for (let begin = at - 1; begin >= 0 && at - begin < MAX_TAG; begin--)
    if (source[begin] === "<" && /[a-z]/i.test(source[begin + 1] ?? "") && endOfTag(source, begin) === at)
      return begin;
  return -1;
}

/** Where the tag that begins at `<` ends, or -1. Values can be expressions, with tags and other brackets in them. */
function endOfTag(source: string, begin: number): number {
  let depth = 0;
  for (let at = begin + 1; at < source.length && at - begin < MAX_TAG; at++) {
    const char = source[at] as string;
    if (char === '"' || char === "'" || char === "`") {
      at = endOfText(source, at, depth > 0);
      if (at < 0) return -1;
    } else if (char === "{") depth++;
    else if (char === "}" && --depth < 0) return -1;
    else if (depth === 0 && char === "<") return -1;
    else if (depth === 0 && char === ">") return at + 1;
  }
  return -1;
}

/** Where a text ends that begins with a quote. Only in code a backslash means something. */
function endOfText(source: string, begin: number, isCode: boolean): number {
  for (let at = begin + 1; at < source.length; at++) {
    if (isCode && source[at] === "\\") at++;
    else if (source[at] === source[begin]) return at;
  }
  return -1;
}

type Transform = (code: string, id: string) => { code: string; map: null } | undefined;

interface LinePlugin {
  readonly name: string;
  readonly transform: { readonly order: "pre" | "post"; readonly handler: Transform };
}

/** Plugins of Vite around Astro's own: one keeps the source of a component, the other adds lines to what became of it. */
export function astroLinePlugins(): readonly LinePlugin[] {
  const sources = new Map<string, string>();
  return [
    {
      name: "debug-bridge:astro-source",
      transform: {
        // Astro's own plugin comes before those of a project, even before those that are enforced to be first.
        order: "pre",
        handler(code, id) {
          if (id.endsWith(".astro")) sources.set(id, code);
          return undefined;
        },
      },
    },
    {
      name: "debug-bridge:astro-lines",
      transform: {
        order: "post",
        handler(code, id) {
          const source = sources.get(id);
          return source === undefined ? undefined : { code: withAstroLines(code, source), map: null };
        },
      },
    },
  ];
}
