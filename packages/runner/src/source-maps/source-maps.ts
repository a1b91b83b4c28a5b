import { stripControlCharacters } from "@debug-bridge/protocol";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { mapReference } from "./map-reference.js";
import { mayRead, readSource } from "./read-source.js";
import { splitFrame } from "./stack-frame.js";

/** A place in code, lines and columns from 1. */
export interface CodeLocation {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

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

  /** `page`: address of the page that reported the location. */
  async locate(location: CodeLocation, page: string): Promise<CodeLocation> {
    if (location.line < 1 || !mayRead(location.url, page)) return location;
    const map = await this.mapOf(location.url);
    if (!map) return location;
    const found = originalPositionFor(map, { line: location.line, column: Math.max(0, location.column - 1) });
    if (found.source === null) return location;
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

  private mapOf(url: string): Promise<TraceMap | undefined> {
    let map = this.maps.get(url);
    if (!map) {
      if (this.maps.size >= MAX_SCRIPTS || this.characters > MAX_CHARACTERS) {
        this.maps.clear();
        this.characters = 0;
      }
      map = this.load(url).catch(() => undefined);
      this.maps.set(url, map);
    }
    return map;
  }

  private async load(url: string): Promise<TraceMap | undefined> {
    const reference = mapReference(await readSource(url, this.project));
    if (reference === undefined) return undefined;
    const json = reference.startsWith("data:")
      ? decodeDataUrl(reference)
      : await this.readMap(reference, url);
    this.characters += json.length;
    return new TraceMap(json.replace(/^\)\]\}'[^\n]*\n/, ""), url);
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
  return stripControlCharacters(URL.canParse(source, script) ? new URL(source, script).href : source);
}
