import type { Owner } from "../sessions/owner.js";

/** The site of a session's page: as the browser says it, if one did, else as the page does. */
export function siteOrigin(owner: Owner | undefined, url = ""): string | undefined {
  return owner?.kind === "origin" && owner.origin !== "null" ? owner.origin : knownOriginAt(url);
}

function knownOriginAt(url: string): string | undefined {
  if (known.has(url)) return known.get(url);
  const origin = originAt(url);
  if (url.length > MAX_KNOWN_LENGTH) return origin;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(url, origin);
  return origin;
}

/** The last addresses of pages, with their origins: every command to a page asks for it. */
const known = new Map<string, string | undefined>();
const MAX_KNOWN = 200;
const MAX_KNOWN_LENGTH = 2_000;

/** The origin of an address; undefined for addresses that have none of their own, such as `about:blank`. */
export function originAt(address: string, base?: string): string | undefined {
  const url = parse(address, base) ?? parse(address);
  if (!url) return undefined;
  if (url.protocol === "http:" || url.protocol === "https:") return url.origin;
  return url.protocol === "file:" || url.host !== "" ? `${url.protocol}//${url.host}` : undefined;
}

function parse(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}
