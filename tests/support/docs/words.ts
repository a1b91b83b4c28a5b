/** Words that `CONTRIBUTING.md` asks to avoid, and that plain English has no use for: again, fix, anyone. */
export const OLD_WORDS = /\b(anew|mend(s|ed|ing)?|whoever)\b/i;

/** In short texts, "report", "show" or "return" is meant. Longer ones tell things apart. */
export const TELLING = /\b(tells?|told)\b/i;
