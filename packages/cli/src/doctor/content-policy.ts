/** The policies of a page: those of its header and those of its meta elements. All of them apply. */
export function policiesOf(header: string | null, html: string): string[] {
  const inHeader = (header ?? "").split(",");
  const inPage = [...html.matchAll(/<meta\b[^>]*>/gi)]
    .map(([tag]) => tag)
    .filter((tag) => /http-equiv\s*=\s*["']?content-security-policy["']?[\s>]/i.test(tag))
    .map((tag) => /\bcontent\s*=\s*"([^"]*)"|\bcontent\s*=\s*'([^']*)'/i.exec(tag))
    .map((found) => found?.[1] ?? found?.[2] ?? "");
  return [...inHeader, ...inPage].map((policy) => policy.trim()).filter((policy) => policy !== "");
}

/** Whether all policies let a page use an address for this purpose. */
export function allows(policies: readonly string[], directive: string, address: string, page: URL): boolean {
  return policies.every((policy) => {
    const directives = new Map<string, string[]>();
    for (const part of policy.split(";")) {
      const [name = "", ...sources] = part.trim().split(/\s+/);
      // A directive that comes again is ignored.
      if (name !== "" && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
    }
    const sources = directives.get(directive) ?? directives.get("default-src");
    return sources === undefined || sources.some((source) => matches(source, new URL(address), page));
  });
}

function matches(source: string, { protocol, hostname, port }: URL, page: URL): boolean {
  if (source === "*") return true;
  if (source === "'self'") return page.hostname === hostname && page.port === port;
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return source.toLowerCase() === protocol;
  const [, scheme, host = "", wantedPort] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.[^:/]+|\[[^\]]+\]|[^:/']+)(?::(\d+|\*))?(?:\/.*)?$/i.exec(source) ??
    [];
  if (host === "") return false;
  // An address of http also stands for its sockets.
  const schemes = scheme === "http" ? ["http:", "ws:"] : scheme ? [`${scheme.toLowerCase()}:`] : undefined;
  if (schemes && !schemes.includes(protocol)) return false;
  const isHost = host.startsWith("*.") ? hostname.endsWith(host.slice(1)) : host.toLowerCase() === hostname;
  return isHost && (wantedPort === "*" || (wantedPort ?? "") === port);
}
