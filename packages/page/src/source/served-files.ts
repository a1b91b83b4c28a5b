import { platform } from "../inert/platform.js";
import type { PageWorld } from "./frameworks/page-world.js";
import { SourceMap } from "./source-map.js";

const REFERENCE = /\/\/[#@] sourceMappingURL=(\S+)\s*$/;
const MAX_FILES = 300;

/** A script as the server serves it. */
export interface ServedFile {
  readonly url: string;
  readonly text: string;
  /** Without a map the script is what was written. */
  readonly map: SourceMap | undefined;
}

/** Scripts as the server serves them, with their maps. Each is read once: a changed one has another address. */
export class ServedFiles {
  private readonly files = new Map<string, ServedFile | undefined>();

  /** Reads scripts that are not known yet. Of those that cannot be read nothing is known. */
  async read(urls: Iterable<string>, world: PageWorld | undefined): Promise<void> {
    const unknown = [...new Set(urls)].filter((url) => !this.files.has(url)).slice(0, MAX_FILES);
    await Promise.all(
      unknown.map(async (url) => this.files.set(url, await readFile(url, world).catch(() => undefined))),
    );
  }

  of(url: string): SourceMap | undefined {
    return this.files.get(url)?.map;
  }
}

/** Code under a name that no server has: what webpack evaluates from a text, and what ran on the server that rendered the page. */
const UNSERVED = /^(?:webpack-internal|file):\/\//;

/** Reads a script of the page's own origin, as it is now. */
export async function readFile(url: string, world: PageWorld | undefined): Promise<ServedFile | undefined> {
  if (UNSERVED.test(url)) return readOfNext(url, world);
  if (new URL(url).origin !== location.origin) return undefined;
  const text = await textAt(url, world);
  const reference = REFERENCE.exec(text.slice(text.lastIndexOf("\n//")))?.[1];
  if (reference === undefined) return { url, text, map: undefined };
  const map = platform.parse(await textAt(new URL(reference, url).href, world));
  return { url, text, map: new SourceMap(map as ConstructorParameters<typeof SourceMap>[0]) };
}

/** Next.js serves the maps of all code that it runs. React encodes the names of files of the server, and adds a number to them. */
async function readOfNext(url: string, world: PageWorld | undefined): Promise<ServedFile | undefined> {
  if (!document.querySelector('script[src*="/_next/"]')) return undefined;
  const at = new URL("/__nextjs_source-map", location.origin);
  const [, ofServer] = /^(.*)\?\d+$/.exec(url) ?? [];
  at.searchParams.set("filename", ofServer === undefined ? url : decodeURI(ofServer));
  const map = platform.parse(await textAt(at.href, world));
  return { url, text: "", map: new SourceMap(map as ConstructorParameters<typeof SourceMap>[0]) };
}

/** The text at an address of the page's own server. The request is no record of the app. */
export async function textAt(url: string, world: PageWorld | undefined): Promise<string> {
  const [, encoding, data] = /^data:[^,]{0,200}?(;base64)?,(.*)$/s.exec(url) ?? [];
  if (data !== undefined) return encoding ? textOfBase64(data) : decodeURIComponent(data);
  // No record of the app: where the SDK records, this is the browser's own function and not the one that records; where the driver
  // records, the request has a mark, which is not sent to the server.
  const { fetch } = platform;
  const response = await fetch(`${url}${world?.ownMark() ?? ""}`);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}

function textOfBase64(data: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(data), (each) => each.charCodeAt(0)));
}
