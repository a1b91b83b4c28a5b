import { MASK } from "@debug-bridge/protocol";
import { indexOfText, matchOf, sliceText } from "./natives.js";

/** Names whose values stay in the page, whoever logs them. */
const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|pwd|secret|token(?!s)|authori[sz]ation|cookie|credential|session[-_]?id|jwt|csrf|xsrf|(?:api|access|private)[-_]?key|(?:^|[-_])otp(?![a-z])|cvv|cvc|card[-_]?num/i;

/** In text: a name as above, a colon or an equals sign, and a value; or a bearer token. */
const SECRET_PAIR =
  /((?:pass(?:word|wd|phrase|code)|pwd|secret|token|authori[sz]ation|cookie|session[-_]?id|jwt|(?:api|access|private)[-_]?key)["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?|\bbearer\s+)([\w\-.~+/=%]{4,})/i;

export function isSecretName(name: string): boolean {
  return name.length < 100 && matchOf(SECRET_NAME, name) !== null;
}

/** Text in which what follows the name of a secret is masked. */
export function maskText(text: string): string {
  // Most lines hold neither, and the expression costs more than all the rest of a call.
  if (indexOfText(text, "=") === -1 && indexOfText(text, ":") === -1 && indexOfText(text, "earer ") === -1)
    return text;
  let rest = text;
  let masked = "";
  for (let i = 0; i < 20; i++) {
    const match = matchOf(SECRET_PAIR, rest);
    if (match === null) break;
    const end = match.index + (match[0] as string).length;
    masked += `${sliceText(rest, 0, match.index)}${match[1]}${MASK}`;
    rest = sliceText(rest, end);
  }
  return masked + rest;
}
