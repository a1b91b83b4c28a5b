import { MASK } from "@debug-bridge/protocol";

/** Words that make a field, a key, an attribute or a query parameter a secret by its name. */
const SECRET_WORD =
  /pass(?:word|wd|phrase|code)|pwd|secret|token|authori[sz]ation|cookie|credential|session[-_]?id|jwt|csrf|xsrf|(?:api|access|private|secret)[-_]?key|one[-_]?time|otp(?![a-z])|cvv|cvc|card[-_]?num/i;

/** Names that hold such a word and yet say nothing secret. */
const HARMLESS =
  /^(?:(?:max|min|next|prev|num|total|used|count)[-_]?tokens?|tokens|token[-_]?(?:count|type|limit)|cookie[-_]?(?:consent|banner|policy)|password[-_]?(?:hint|strength|policy|length))$/i;

/**
 * Whether a name says that its value is secret.
 *
 * @example isSecretName("accessToken") // true
 * @example isSecretName("maxTokens") // false
 */
export function isSecretName(name: string): boolean {
  return SECRET_WORD.test(name) && !HARMLESS.test(name);
}

const SECRET_AUTOCOMPLETE = /(?:^|\s)(?:current-password|new-password|one-time-code|cc-[a-z-]+)(?:\s|$)/i;

export function isSecretAutocomplete(tokens: string): boolean {
  return SECRET_AUTOCOMPLETE.test(tokens);
}

/**
 * A URL whose secret query and fragment parameters, and whose password, are masked. Works on relative URLs and on
 * what is not quite a URL, and changes nothing else.
 *
 * @example maskUrl("/cb?code=1&access_token=abc") // "/cb?code=1&access_token=•••"
 */
export function maskUrl(url: string): string {
  if (!url.includes("=") && !url.includes("@")) return url;
  const masked = url.replace(/([?&#;])([^=&#?;\s"'<>]+)=([^&#;\s"'<>]+)/g, (whole, mark, name, value) =>
    isSecretName(decodeLoosely(name)) && value !== "" ? `${mark}${name}=${MASK}` : whole,
  );
  return masked.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#@:\s]*):[^/?#@\s]+@/i, `$1:${MASK}@`);
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const QUOTED_PAIR = /((["'])([\w$.-]{1,80})\2\s*:\s*)(["'])((?:\\.|(?!\4)[^\\])*)\4/g;
const FORM_PAIR = /(^|&)([^=&\s]{1,80})=([^&\s]*)/g;
const HEADER_SECRET = /\b(bearer|basic)\s+[\w\-._~+/]{8,}=*/gi;

/**
 * Masks the values of secret keys in text that is JSON, a form body or script source, without parsing it.
 *
 * @example maskPairs('{"user":"ada","password":"x"}') // '{"user":"ada","password":"•••"}'
 */
export function maskPairs(text: string): string {
  let masked = text.replace(QUOTED_PAIR, (whole, head: string, _q, key: string, quote: string) =>
    isSecretName(key) ? `${head}${quote}${MASK}${quote}` : whole,
  );
  if (!masked.includes("\n") && masked.includes("=")) {
    masked = masked.replace(FORM_PAIR, (whole, mark: string, key: string) =>
      isSecretName(decodeLoosely(key)) ? `${mark}${key}=${MASK}` : whole,
    );
  }
  return masked.replace(HEADER_SECRET, `$1 ${MASK}`);
}

const SECRET_ATTRIBUTE = /(\s([\w:.-]+)=")([^"]*)(")/g;
const URL_IN_HTML = /([?&;])((?:amp;)?)([\w.[\]-]{2,60})=([^&"'<>\s;#]+)/g;

/** Masks what names give away in serialised HTML: attributes called like a secret, and parameters of its links. */
export function maskHtmlNames(html: string): string {
  return html
    .replace(SECRET_ATTRIBUTE, (whole, head: string, name: string, value: string, end: string) =>
      value !== "" && isSecretName(name) ? `${head}${MASK}${end}` : whole,
    )
    .replace(URL_IN_HTML, (whole, mark: string, amp: string, name: string) =>
      isSecretName(name) ? `${mark}${amp}${name}=${MASK}` : whole,
    );
}

const SHORTEST = 4;

/** The forms in which a value turns up in text: plain, and escaped for JSON, HTML and URLs. Longest first. */
export function formsOf(value: string): string[] {
  if (value.length < SHORTEST) return [];
  const html = value.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const forms = new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    html,
    html.replace(/"/g, "&quot;"),
    encodeLoosely(value),
    encodeLoosely(value).replace(/%20/g, "+"),
  ]);
  return [...forms].sort((a, b) => b.length - a.length);
}

function encodeLoosely(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Replaces every occurrence of the given values in `text`. */
export function maskValues(text: string, values: readonly string[]): string {
  let masked = text;
  for (const value of values) if (masked.includes(value)) masked = masked.split(value).join(MASK);
  return masked;
}
