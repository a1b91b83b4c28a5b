import { codeAt, sliceText, stringify } from "./natives.js";

/** Text as a JSON string. `JSON.stringify` calls `toJSON` only on objects, so no code of the page runs. */
export const quote = stringify as (text: string) => string;

/** At most `most` characters, with a mark that says how many are missing. A surrogate pair is not cut in half. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = codeAt(text, most - 1);
  const end = most > 0 && last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
  return `${sliceText(text, 0, end)}… [${text.length - end} more characters]`;
}
