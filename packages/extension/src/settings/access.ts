import type { TabAccess } from "@debug-bridge/protocol";

/** Which tabs agents may use: those that the person chose one by one, or all. */
export type Share = "chosen" | "all";

export const FULL_ACCESS: TabAccess = { level: "full" };

/** Reads stored access of any shape. What is not known is `fallback`. */
export function readAccess(stored: unknown, fallback: TabAccess = FULL_ACCESS): TabAccess {
  const { level, site } = Object(stored) as Partial<TabAccess>;
  if (level === "full" || level === "read-only") return { level };
  if (level !== "site") return fallback;
  const host = typeof site === "string" ? parseHost(site) : undefined;
  return host === undefined ? { level } : { level, site: host };
}

/** The host in what a person typed: a host or an address. */
export function parseHost(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  try {
    return new URL(trimmed.includes("://") ? trimmed : `http://${trimmed}`).hostname || undefined;
  } catch {
    return undefined;
  }
}

/** The site of a page, for a lock to it: its host, without a leading `www.`. */
export function siteOf(url: string): string | undefined {
  try {
    const { hostname, protocol } = new URL(url);
    return protocol === "http:" || protocol === "https:" ? hostname.replace(/^www\./, "") : undefined;
  } catch {
    return undefined;
  }
}

export function sameAccess(a: TabAccess | undefined, b: TabAccess | undefined): boolean {
  return a?.level === b?.level && a?.site === b?.site;
}
