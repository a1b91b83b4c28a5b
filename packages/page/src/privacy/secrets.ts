import { MASK } from "@debug-bridge/protocol";
import { platform } from "../inert/platform.js";

const SECRET_AUTOCOMPLETE = /(?:^|\s)(?:current-password|new-password|one-time-code|cc-[a-z-]+)(?:\s|$)/i;

export function isSecretAutocomplete(tokens: string): boolean {
  return SECRET_AUTOCOMPLETE.test(tokens);
}

const SHORTEST = 4;

/**
 * The forms in which a value turns up in text: plain, and escaped for JSON (once and twice), HTML, URLs and forms.
 * Longest first.
 */
export function formsOf(value: string): string[] {
  if (value.length < SHORTEST) return [];
  const html = value
    .replace(/&/g, "&amp;")
    .replace(/\u00a0/g, "&nbsp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
  const json = platform.stringify(value).slice(1, -1);
  const url = loosely(() => encodeURIComponent(value), value);
  const form = loosely(() => String(new URLSearchParams({ a: value })).slice(2), value);
  const forms = new Set([
    value,
    json,
    platform.stringify(json).slice(1, -1),
    html,
    html.replace(/"/g, "&quot;"),
    url,
    url.replace(/%20/g, "+"),
    form,
    form.replace(/\+/g, "%20"),
    loosely(() => new URL(`http://a/?${value}`).href.slice(10), value),
  ]);
  return [...forms].filter((form) => form.length >= SHORTEST).sort((a, b) => b.length - a.length);
}

function loosely(make: () => string, otherwise: string): string {
  try {
    return make();
  } catch {
    return otherwise;
  }
}

/** Replaces every occurrence of the given values in `text`. */
export function maskValues(text: string, values: readonly string[]): string {
  let masked = text;
  for (const value of values) if (masked.includes(value)) masked = masked.split(value).join(MASK);
  return masked;
}
