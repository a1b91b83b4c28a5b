import { type SourceExcerpt, servedNote, stripControlCharacters } from "@debug-bridge/protocol";
import { FlattenMap, originalPositionFor, type TraceMap } from "@jridgewell/trace-mapping";
import { mapReference } from "./map-reference.js";
import { evaluatedMapUrl, mayRead, readSource } from "./read-source.js";
import { splitFrame } from "./stack-frame.js";

/** A place in code, lines and columns from 1. */
export interface CodeLocation {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** Lines before and after the place. */
const AROUND = 4;
const MAX_LINE = 500;
const MAX_SCRIPTS = 500;
/** Characters of maps that are kept. */
const MAX_CHARACTERS = 100_000_000;
/** Frames of one stack that are mapped; the rest stays as it is. */
const MAX_FRAMES = 100;

/**
 * Finds where code was written, from where it runs. Everything it is given comes from a page, so scripts and maps are
 * read only from the origin of the page that reported them, if that is on this machine, or from files of the project.
 * A script without a map stays as it is.
 */
export class SourceMaps {
  private readonly maps = new Map<string, Promise<TraceMap | undefined>>();
  private characters = 0;

  constructor(private readonly project = process.cwd()) {}

  /** The same place when nothing maps it. `page`: address of the page that reported the location. */
  async locate(location: CodeLocation, page: string): Promise<CodeLocation> {
    return (await this.written(location, page)) ?? location;
  }

  /** Where the code was written, if a map says it. */
  async written(location: CodeLocation, page: string): Promise<CodeLocation | undefined> {
    if (location.line < 1) return undefined;
    const map = await this.mapOf(location.url, page);
    if (!map) return undefined;
    const found = originalPositionFor(map, { line: location.line, column: Math.max(0, location.column - 1) });
    if (found.source === null) return undefined;
    return { url: resolve(found.source, location.url), line: found.line, column: found.column + 1 };
  }

  /** The same for the frames of a stack, such as `at save (http://localhost:5173/src/a.js:10:5)`. */
  async mapStack(stack: string, page: string): Promise<string> {
    const lines = await Promise.all(
      stack.split("\n").map(async (line, index) => {
        const frame = index > MAX_FRAMES ? undefined : splitFrame(line);
        if (!frame) return line;
        const { url, line: at, column } = await this.locate(frame.location, page);
        return `${frame.head}${url}:${at}:${column}${frame.tail}`;
      }),
    );
    return lines.join("\n");
  }

  /** The code around a place; `undefined` when it cannot be read. */
  async excerpt(location: CodeLocation, page: string): Promise<SourceExcerpt | undefined> {
    if (location.line < 1) return undefined;
    const written = await this.written(location, page);
    const found = written ?? location;
    const text = await this.textOf(found, location, page).catch(() => undefined);
    if (text === undefined) return undefined;
    const first = Math.max(1, found.line - AROUND);
    const lines = text
      .split("\n")
      .slice(first - 1, found.line + AROUND)
      .map((line, i) => ({ number: first + i, text: stripControlCharacters(line.slice(0, MAX_LINE)) }));
    const isServed = !written && servedNote(location.url) !== "";
    if (lines.length < found.line - first + 1) return undefined;
    return { ...found, lines, ...(isServed ? { isServed } : {}) };
  }

  /** The text of a source: as its map holds it, else as its server does. */
  private async textOf(
    found: CodeLocation,
    location: CodeLocation,
    page: string,
  ): Promise<string | undefined> {
    const map = await this.mapOf(location.url, page);
    const at =
      map?.resolvedSources.findIndex((source) => resolve(source ?? "", location.url) === found.url) ?? -1;
    const inMap = at === -1 ? undefined : map?.sourcesContent?.[at];
    if (typeof inMap === "string") return inMap;
    return mayRead(found.url, page) ? readSource(found.url, this.project) : undefined;
  }

  private async mapOf(url: string, page: string): Promise<TraceMap | undefined> {
    const served = evaluatedMapUrl(url, page);
    if (served === undefined && !mayRead(url, page)) return undefined;
    const key = served ?? url;
    let map = this.maps.get(key);
    if (!map) {
      if (this.maps.size >= MAX_SCRIPTS || this.characters > MAX_CHARACTERS) {
        this.maps.clear();
        this.characters = 0;
      }
      map = (served === undefined ? this.load(url) : this.parse(readSource(served, this.project), url)).catch(
        () => undefined,
      );
      this.maps.set(key, map);
    }
    return map;
  }

  private async load(url: string): Promise<TraceMap | undefined> {
    const reference = mapReference(await readSource(url, this.project));
    if (reference === undefined) return undefined;
    return this.parse(
      reference.startsWith("data:") ? decodeDataUrl(reference) : this.readMap(reference, url),
      url,
    );
  }

  private async parse(text: string | Promise<string>, url: string): Promise<TraceMap> {
    const json = await text;
    this.characters += json.length;
    // Some bundlers write one map for each part of a script, and a list of these.
    return new FlattenMap(json.replace(/^\)\]\}'[^\n]*\n/, ""), url);
  }

  /** A script can name any address as that of its map. */
  private readMap(reference: string, script: string): Promise<string> {
    const url = new URL(reference, script).href;
    if (!mayRead(url, script)) throw new Error(`the map of ${script} is not on its origin`);
    return readSource(url, this.project);
  }
}

function decodeDataUrl(url: string): string {
  const comma = url.indexOf(",");
  const body = url.slice(comma + 1);
  return url.slice(0, comma).endsWith(";base64")
    ? Buffer.from(body, "base64").toString("utf8")
    : decodeURIComponent(body);
}

/** Bundlers write relative sources; a person wants to open them. */
function resolve(source: string, script: string): string {
  // webpack adds a hash to names that it has used before.
  const name = source.replace(/^(webpack:.*)\?\w*$/, "$1");
  return stripControlCharacters(URL.canParse(name, script) ? new URL(name, script).href : name);
}
