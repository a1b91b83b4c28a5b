/** Where code was written. Lines count from 1, columns from 0. */
export interface WrittenPlace {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** The file as it was when it was built, if the map holds it. */
  readonly content: string | undefined;
}

interface FlatMap {
  readonly mappings?: string;
  readonly sources?: readonly (string | null)[];
  readonly sourcesContent?: readonly (string | null)[];
  readonly sourceRoot?: string;
}

interface RawMap extends FlatMap {
  /** An index map: maps of parts of the file, each from a place on. */
  readonly sections?: readonly {
    readonly offset: { readonly line: number; readonly column: number };
    readonly map: RawMap;
  }[];
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Column, source, line and column of the source. */
type Segment = readonly [column: number, source: number, line: number, sourceColumn: number];

/** A source map, decoded when it is first asked. Index maps work too. */
export class SourceMap {
  private lines: Segment[][] | undefined;
  private readonly parts = new Map<RawMap, SourceMap>();

  constructor(private readonly map: RawMap) {}

  /** The files that the map leads to, with what was in them. */
  files(): { readonly source: string; readonly content: string | undefined }[] {
    const { sections, sources = [], sourcesContent = [], sourceRoot = "" } = this.map;
    if (sections) return sections.flatMap(({ map }) => new SourceMap(map).files());
    return sources.flatMap((source, i) =>
      source === null
        ? []
        : { source: withRoot(sourceRoot, source), content: sourcesContent[i] ?? undefined },
    );
  }

  /** Where the code at a place (line from 1, column from 0) was written; `undefined` if the map does not say it. */
  find(line: number, column: number): WrittenPlace | undefined {
    const { sections, sources = [], sourcesContent = [], sourceRoot = "" } = this.map;
    if (sections) {
      const at = sections.findLast(
        ({ offset }) => offset.line < line - 1 || (offset.line === line - 1 && offset.column <= column),
      );
      if (!at) return undefined;
      const { offset } = at;
      const part = this.parts.get(at.map) ?? new SourceMap(at.map);
      this.parts.set(at.map, part);
      return part.find(line - offset.line, line - 1 === offset.line ? column - offset.column : column);
    }
    this.lines ??= decode(this.map.mappings ?? "");
    const segment = this.lines[line - 1]?.findLast(([from]) => from <= column);
    const source = segment && sources[segment[1]];
    if (!segment || source == null) return undefined;
    const [, index, written, writtenColumn] = segment;
    const content = sourcesContent[index] ?? undefined;
    return {
      source: withRoot(sourceRoot, source),
      line: written + 1,
      column: writtenColumn,
      content,
    };
  }
}

const withRoot = (root: string, source: string): string =>
  root ? `${root.replace(/\/$/, "")}/${source}` : source;

/** The segments of each line that lead to a source. */
function decode(mappings: string): Segment[][] {
  let [source, line, column] = [0, 0, 0];
  return mappings.split(";").map((text) => {
    let from = 0;
    return text.split(",").flatMap((each): Segment[] => {
      const [a = 0, b, c = 0, d = 0] = numbersIn(each);
      from += a;
      if (b === undefined) return [];
      source += b;
      line += c;
      column += d;
      return [[from, source, line, column]];
    });
  });
}

/** Variable-length numbers in base 64: five bits each, the lowest bit of all is the sign. */
function numbersIn(text: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const char of text) {
    const digit = BASE64.indexOf(char);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
