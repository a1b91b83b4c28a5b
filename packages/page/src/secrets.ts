import { MASK } from "@debug-bridge/protocol";
import { natives } from "./natives.js";

/** Words that make a field, a key, an attribute or a query parameter a secret by its name. */
const SECRET_WORD =
  /pass(?:word|wd|phrase|code)|pwd|secret|token|authori[sz]ation|cookie|credential|session[-_]?id|jwt|csrf|xsrf|(?:api|access|private|secret)[-_]?key|one[-_]?time|otp(?![a-z])|cvv|cvc|card[-_]?num/i;

/** Words that are part of many others ("compass", "spinner", "author") and count only as the last word of a name. */
const SHORT_WORD = /(?:^|[^a-z])(?:pass|pw|pin|auth|otp)\d*\]?$/i;
const SHORT_CAMEL = /[a-z\d](?:Pass|Pw|PW|Pin|PIN|Auth|Otp|OTP)\d*\]?$/;

/** Names that hold such a word and yet say nothing secret. */
const HARMLESS =
  /^(?:(?:max|min|next|prev|num|total|used|count)[-_]?tokens?|tokens|token[-_]?(?:count|type|limit)|cookie[-_]?(?:consent|banner|policy)|password[-_]?(?:hint|strength|policy|length))$/i;

/** Says whether the value of this name must not be seen. */
export type Hides = (name: string) => boolean;

/**
 * Whether a name says that its value is secret.
 *
 * @example isSecretName("accessToken") // true
 * @example isSecretName("maxTokens") // false
 */
export function isSecretName(name: string): boolean {
  if (SHORT_WORD.test(name) || SHORT_CAMEL.test(name)) return true;
  return SECRET_WORD.test(name) && !HARMLESS.test(name);
}

const SECRET_AUTOCOMPLETE = /(?:^|\s)(?:current-password|new-password|one-time-code|cc-[a-z-]+)(?:\s|$)/i;

export function isSecretAutocomplete(tokens: string): boolean {
  return SECRET_AUTOCOMPLETE.test(tokens);
}

const PARAMETER = /([?&#;])([^=&#?;\s"'<>\\]{1,80})=([^&#;\s"'<>\\]+)/g;
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]{0,30}:\/\/[^/?#@:\s]{0,200}):[^/?#@\s]{1,500}@/gi;

/**
 * A URL, or text with URLs in it, whose secret query and fragment parameters, and whose passwords, are masked. Works
 * on relative URLs and on what is not quite a URL, and changes nothing else.
 *
 * @example maskUrl("/cb?code=1&access_token=abc") // "/cb?code=1&access_token=•••"
 */
export function maskUrl(url: string, hides: Hides = isSecretName): string {
  let masked = url;
  if (url.includes("="))
    masked = masked.replace(PARAMETER, (whole, mark, name) =>
      hides(decodeLoosely(name)) ? `${mark}${name}=${MASK}` : whole,
    );
  return url.includes("@") ? masked.replace(URL_PASSWORD, `$1:${MASK}@`) : masked;
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return text;
  }
}

/** A string that the end of the text cuts off is one too. */
const QUOTED_PAIR =
  /((["'])([\w$.-]{1,80})\2\s{0,20}:\s{0,20})(?:(["'])(?:\\.|(?!\4)[^\\])*(?:\4|\\?$)|-?\d[\w.+-]*)/g;
/** As above, inside a string of JSON: the quotes have backslashes before them. */
const ESCAPED_PAIR =
  /((\\{1,15}["'])([\w$.-]{1,80})\2\s{0,20}:\s{0,20})(?:(\\{1,15}["'])(?:(?!\4)\\*[^\\])*(?:\4|\\*$)|-?\d[\w.+-]*)/g;
const FORM = /^[^\s=&"'<>{[]{1,80}=[^\n]*$/;
const FORM_PAIR = /(^|&)([^=&\s]{1,80})=([^&\s]+)/g;
/** `user=ada password=x`, as logs have it. */
const LOG_PAIR = /(\s)([^=&\s"'<>]{1,80})=([^&\s"'<>]+)/g;
const HEADER_SECRET = /\b(bearer|basic)\s{1,20}[\w\-._~+/]{8,}=*/gi;
const WORTH_A_LOOK = /[:=@]|bearer|basic/i;

/**
 * Masks the values of secret keys in text that holds JSON, a form body, URLs or script source, without parsing it.
 *
 * @example maskPairs('{"user":"ada","password":"x"}') // '{"user":"ada","password":"•••"}'
 */
export function maskPairs(text: string, hides: Hides = isSecretName): string {
  if (!WORTH_A_LOOK.test(text)) return text;
  const pair = (whole: string, head: string, mark: string, key: string): string => {
    if (hides(key)) return `${head}${mark}${MASK}${mark}`;
    const value = whole.slice(head.length);
    return value.includes("\\") ? head + value.replace(ESCAPED_PAIR, pair) : whole;
  };
  let masked = text.replace(QUOTED_PAIR, pair);
  if (masked.includes("\\")) masked = masked.replace(ESCAPED_PAIR, pair);
  masked = maskUrl(masked, hides);
  const assigned = (whole: string, mark: string, key: string): string =>
    hides(decodeLoosely(key)) ? `${mark}${key}=${MASK}` : whole;
  if (FORM.test(masked)) masked = masked.replace(FORM_PAIR, assigned);
  if (!masked.includes("\n")) masked = masked.replace(LOG_PAIR, assigned);
  return masked.replace(HEADER_SECRET, `$1 ${MASK}`);
}

const SECRET_ATTRIBUTE = /(\s([\w:.-]+)=")([^"]*)(")/g;
const URL_IN_HTML = /([?&;])((?:amp;)?)([\w.[\]-]{2,60})=([^&"'<>\s;#]+)/g;

/** Masks what names give away in serialised HTML: attributes called like a secret, and parameters of its links. */
export function maskHtmlNames(html: string, hides: Hides = isSecretName): string {
  return html
    .replace(SECRET_ATTRIBUTE, (whole, head: string, name: string, value: string, end: string) =>
      value !== "" && (hides(name) || (name.startsWith("data-") && hides(name.slice(5))))
        ? `${head}${MASK}${end}`
        : whole,
    )
    .replace(URL_IN_HTML, (whole, mark: string, amp: string, name: string) =>
      hides(name) ? `${mark}${amp}${name}=${MASK}` : whole,
    );
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
  const json = natives.stringify(value).slice(1, -1);
  const url = loosely(() => encodeURIComponent(value), value);
  const form = loosely(() => String(new URLSearchParams({ a: value })).slice(2), value);
  const forms = new Set([
    value,
    json,
    natives.stringify(json).slice(1, -1),
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
