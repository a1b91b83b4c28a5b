/**
 * Characters that control something instead of being seen: C0, DEL and C1 without tab and line ends, marks that change
 * the direction of text or are invisible, and tags.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/**
 * Text of a page, an agent or a person with every hidden character shown as its number, so that nothing looks like what
 * it is not.
 *
 * @example visibleText("a\u202eb") // "a[U+202E]b"
 */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(
      HIDDEN,
      (char) => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}
