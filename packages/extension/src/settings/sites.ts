/// <reference types="chrome" />
import { isLoopbackName } from "@debug-bridge/protocol";

/** Pages on this machine are always captured: they are what a developer works on. */
const LOOPBACK_PATTERNS: readonly string[] = ["localhost", "*.localhost", "127.0.0.1", "[::1]"].flatMap(
  (host) => [`http://${host}/*`, `https://${host}/*`],
);

/** The match pattern for the site of a page; `undefined` for pages that no extension may see. */
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

/** Whether `LOOPBACK_PATTERNS` match a page. */
export function isLoopback(url: string): boolean {
  try {
    const { hostname, protocol } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") return false;
    // Match patterns cannot name all of 127.0.0.0/8.
    return isLoopbackName(hostname) && (hostname === "127.0.0.1" || !hostname.startsWith("127."));
  } catch {
    return false;
  }
}

/** Whether the site of a page is captured. */
export function isCaptured(url: string, patterns: readonly string[]): boolean {
  const own = patternOf(url);
  return isLoopback(url) || (own !== undefined && patterns.includes(own));
}

/**
 * The two scripts for captured sites. Chrome runs them in this order. The script in the page's world is first, because it
 * must listen when the other one makes its offer (see bus.ts).
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
