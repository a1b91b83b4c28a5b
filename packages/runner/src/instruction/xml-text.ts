/** How long one instruction may be. */
export const MAX_XML_CHARACTERS = 2_000_000;

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const REFERENCE = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g;
/** What XML cannot carry as it is: its own signs, and characters that a parser would drop or change. */
const SPECIAL = /[&<>"'\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g;

/**
 * Text for an element or an attribute.
 *
 * @example escapeXml("a < b & c") // "a &lt; b &amp; c"
 */
export function escapeXml(text: string): string {
  return text.replace(SPECIAL, (sign) => {
    const name = Object.keys(NAMED).find((key) => NAMED[key] === sign);
    return name ? `&${name};` : `&#${sign.charCodeAt(0)};`;
  });
}

/**
 * The way back. Only XML's own five names and numbers are known, so nothing can expand; an `&` that begins none of
 * them stays, since people and models write URLs as they are.
 */
export function unescapeXml(text: string): string {
  return text.replace(REFERENCE, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name) return NAMED[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
