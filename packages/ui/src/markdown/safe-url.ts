/**
 * The address of a link that may be opened: only of the web, and written out, so that people see where it leads. Anything
 * else is shown as text.
 */
export function safeUrl(href: string): string | undefined {
  try {
    const url = new URL(href);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}
