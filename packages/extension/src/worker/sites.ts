/// <reference types="chrome" />

/** Pages of this machine are captured without asking: whoever develops looks at them. */
const LOOPBACK_PATTERNS: readonly string[] = ["localhost", "*.localhost", "127.0.0.1", "[::1]"].flatMap(
  (host) => [`http://${host}/*`, `https://${host}/*`],
);

/** The pattern for the whole site of a page; `undefined` for pages that no extension may see. */
export function patternOf(url: string): string | undefined {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return undefined;
  }
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return undefined;
  return `${parsed.protocol}//${parsed.hostname}/*`;
}

export function isLoopback(url: string): boolean {
  try {
    const { hostname, protocol } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") return false;
    return (
      hostname === "localhost" ||
      hostname.endsWith(".localhost") ||
      hostname === "127.0.0.1" ||
      hostname === "[::1]"
    );
  } catch {
    return false;
  }
}

/** Whether a page belongs to a site that was chosen. */
export function isChosen(url: string, patterns: readonly string[]): boolean {
  const own = patternOf(url);
  return isLoopback(url) || (own !== undefined && patterns.includes(own));
}

/**
 * The two scripts for the chosen sites. Chrome runs them in this order, the one in the page's world first: it must be
 * listening when the other one makes its offer (see bus.ts).
 */
export function scriptsFor(patterns: readonly string[]): chrome.scripting.RegisteredContentScript[] {
  const shared = {
    matches: [...LOOPBACK_PATTERNS, ...patterns],
    allFrames: true,
    matchOriginAsFallback: true,
    runAt: "document_start",
    persistAcrossSessions: true,
  } satisfies Partial<chrome.scripting.RegisteredContentScript>;
  return [
    { ...shared, id: "page", js: ["page.js"], world: "MAIN" },
    { ...shared, id: "relay", js: ["content.js"], world: "ISOLATED" },
  ];
}
