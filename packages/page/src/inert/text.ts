import { codeAt, sliceText, stringify } from "./natives.js";

/** Text as a JSON string. `JSON.stringify` calls `toJSON` only on objects, so no code of the page runs. */
export const quote = stringify as (text: string) => string;

/** At most `max` characters, followed by the number of missing ones. A surrogate pair is not cut in half. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = codeAt(text, max - 1);
  const end = max > 0 && last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
  return `${sliceText(text, 0, end)}… [${text.length - end} more characters]`;
}
