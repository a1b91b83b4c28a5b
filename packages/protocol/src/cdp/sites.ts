/** Whether an address belongs to a site: the host or one of its subdomains, over HTTP. */
export function isOnSite(url: unknown, site: string): boolean {
  if (typeof url !== "string") return false;
  try {
    const { hostname, protocol } = new URL(url);
    return (protocol === "http:" || protocol === "https:") && isHostOf(hostname, site);
  } catch {
    return false;
  }
}

/** Whether a host is that of a site or one of its subdomains. */
export function isHostOf(host: string, site: string): boolean {
  return site !== "" && (host === site || host.endsWith(`.${site}`));
}
