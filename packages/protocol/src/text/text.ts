/**
 * Control characters other than tab, line feed and carriage return (C0, DEL and C1), which control a terminal, and the
 * bidi overrides and isolates, which reorder what it shows. None may come in over a wire.
 */
const UNSAFE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const ALL_UNSAFE = new RegExp(UNSAFE, "g");

/**
 * Text without control characters. Tabs and line ends stay.
 *
 * @example stripControlCharacters("\u001b[31mred") // "[31mred"
 */
export function stripControlCharacters(text: string): string {
  return UNSAFE.test(text) ? text.replace(ALL_UNSAFE, "") : text;
}

/**
 * Cuts text to at most `max` characters and appends how many are missing. A surrogate pair is never cut in half.
 *
 * @example truncate("abcdefgh", 3) // "abc… [5 more characters]"
 */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const end = max > 0 && last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
  return `${text.slice(0, end)}… [${text.length - end} more characters]`;
}

/** How many bytes `text` takes as UTF-8, without making them. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) bytes += 1;
    else if (code >= 0xd800 && code <= 0xdbff && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** @example plural(1, "event") // "1 event" */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
