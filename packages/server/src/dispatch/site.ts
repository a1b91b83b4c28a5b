import type { Owner } from "../sessions/owner.js";

/** The site of a session's page: as the browser says it, if one did, else as the page does. */
export function siteOrigin(owner: Owner | undefined, url = ""): string | undefined {
  return owner?.kind === "origin" && owner.origin !== "null" ? owner.origin : originAt(url);
}

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
