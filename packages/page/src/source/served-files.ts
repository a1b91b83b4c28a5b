import { OWN_REQUEST } from "@debug-bridge/protocol";
import { platform } from "../inert/platform.js";
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
  async read(urls: Iterable<string>): Promise<void> {
    const unknown = [...new Set(urls)].filter((url) => !this.files.has(url)).slice(0, MAX_FILES);
    await Promise.all(
      unknown.map(async (url) => this.files.set(url, await readFile(url).catch(() => undefined))),
    );
  }

  of(url: string): SourceMap | undefined {
    return this.files.get(url)?.map;
  }
}

/** Reads a script of the page's own origin, as it is now. */
export async function readFile(url: string): Promise<ServedFile | undefined> {
  if (new URL(url).origin !== location.origin) return undefined;
  const text = await textAt(url);
  const reference = REFERENCE.exec(text.slice(text.lastIndexOf("\n//")))?.[1];
  if (reference === undefined) return { url, text, map: undefined };
  const map = platform.parse(await textAt(new URL(reference, url).href));
  return { url, text, map: new SourceMap(map as ConstructorParameters<typeof SourceMap>[0]) };
}

async function textAt(url: string): Promise<string> {
  const [, encoding, data] = /^data:[^,]{0,200}?(;base64)?,(.*)$/s.exec(url) ?? [];
  if (data !== undefined) return encoding ? textOfBase64(data) : decodeURIComponent(data);
  // The mark is not sent to the server. It keeps the request out of the records of the app.
  const response = await fetch(`${url}${OWN_REQUEST}`);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}

function textOfBase64(data: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(data), (each) => each.charCodeAt(0)));
}
