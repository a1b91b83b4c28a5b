import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripControlCharacters } from "@debug-bridge/protocol";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { isLocalUrl } from "./local-url.js";

/** A place in code, lines and columns from 1. */
export interface CodeLocation {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

const FETCH_MS = 2_000;
const MAX_BYTES = 30_000_000;
const MAX_SCRIPTS = 500;
const MAP_COMMENT = /\/[/*][#@]\s*sourceMappingURL=([^\s*]+)\s*(?:\*\/)?\s*$/;

/**
 * Finds where code was written, from where it runs. Maps come from the app's own server on loopback or from disk, once
 * for each script; a script without a map stays as it is.
 */
export class SourceMaps {
  private readonly maps = new Map<string, Promise<TraceMap | undefined>>();

  constructor(private readonly folder = process.cwd()) {}

  async locate(location: CodeLocation): Promise<CodeLocation> {
    const map = await this.mapOf(location.url);
    if (!map || location.line < 1) return location;
    const found = originalPositionFor(map, { line: location.line, column: Math.max(0, location.column - 1) });
    if (found.source === null) return location;
    return { url: resolve(found.source, location.url), line: found.line, column: found.column + 1 };
  }

  /** The same for every frame of a stack, such as `at save (http://localhost:5173/src/a.js:10:5)`. */
  async mapStack(stack: string): Promise<string> {
    const lines = await Promise.all(
      stack.split("\n").map(async (line) => {
        // A URL may contain parentheses, as the folders of some frameworks do.
        const frame = /^(\s*at .*?\(?)((?:https?|file):\/\/\S+):(\d+):(\d+)(\)?)$/.exec(line);
        if (!frame) return line;
        const [, head, url, at, column, tail] = frame as unknown as [
          string,
          string,
          string,
          string,
          string,
          string,
        ];
        const found = await this.locate({ url, line: Number(at), column: Number(column) });
        return `${head}${found.url}:${found.line}:${found.column}${tail}`;
      }),
    );
    return lines.join("\n");
  }

  private mapOf(url: string): Promise<TraceMap | undefined> {
    let map = this.maps.get(url);
    if (!map) {
      if (this.maps.size >= MAX_SCRIPTS) this.maps.clear();
      map = this.load(url).catch(() => undefined);
      this.maps.set(url, map);
    }
    return map;
  }

  private async load(url: string): Promise<TraceMap | undefined> {
    const script = await this.read(url);
    const reference = MAP_COMMENT.exec(script.slice(-5_000_000))?.[1];
    if (!reference) return undefined;
    const json = reference.startsWith("data:")
      ? decodeDataUrl(reference)
      : await this.read(new URL(reference, url).href);
    return new TraceMap(json.replace(/^\)\]\}'[^\n]*\n/, ""), url);
  }

  /** Only from this machine: a page must not make us ask other hosts. */
  private async read(url: string): Promise<string> {
    const { protocol, host, pathname } = new URL(url);
    if (protocol === "file:") return readFile(fileURLToPath(url), "utf8");
    if (!isLocalUrl(url)) throw new Error(`${host} is not this machine`);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) });
      const text = await response.text();
      if (!response.ok || text.length > MAX_BYTES) throw new Error(`no script at ${url}`);
      return text;
    } catch {
      return readFile(join(this.folder, pathname), "utf8");
    }
  }
}

function decodeDataUrl(url: string): string {
  const [head = "", body = ""] = url.split(",", 2);
  return head.endsWith(";base64") ? Buffer.from(body, "base64").toString("utf8") : decodeURIComponent(body);
}

/** Bundlers write relative sources; a person wants to open them. */
function resolve(source: string, script: string): string {
  return stripControlCharacters(URL.canParse(source, script) ? new URL(source, script).href : source);
}
