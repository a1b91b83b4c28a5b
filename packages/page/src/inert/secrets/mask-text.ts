import { MASK } from "@debug-bridge/protocol";
import { indexOfText, max, sliceText } from "../natives.js";
import { authorizationAt, type Found, pairAt, passwordInUrl } from "./find-secret.js";
import { isSecretName } from "./secret-names.js";

/** Whether the value of this name must be hidden. */
export type Hides = (name: string) => boolean;

/** Where a secret may be: after a name, in a URL, after the scheme of a header. On a tie, later entries win. */
const ANCHORS = ["=", ":", "earer ", "EARER ", "asic ", "ASIC "] as const;
/** Length of the shortest header that is masked: `Basic ` and eight characters. */
const MIN_HEADER = 14;
const EQUALS = 0;
const COLON = 1;

/**
 * Text in which the values of secret names are masked: JSON (escaped JSON too), forms, URLs, headers, log lines and
 * script source, without parsing any of them. Nothing else changes.
 *
 * @example maskText('{"user":"ada","password":"x"}') // '{"user":"ada","password":"•••"}'
 * @example maskText("/cb?code=1&access_token=abc") // "/cb?code=1&access_token=•••"
 */
export function maskText(text: string, hides: Hides = isSecretName): string {
  const equals = indexOfText(text, "=");
  const colon = indexOfText(text, ":");
  // Most texts hold none of these, and looking for the others costs more than all the rest of a call.
  if (equals === -1 && colon === -1 && text.length < MIN_HEADER) return text;
  const next = [equals, colon, -1, -1, -1, -1];
  if (text.length >= MIN_HEADER)
    for (let i = 2; i < ANCHORS.length; i++) next[i] = indexOfText(text, ANCHORS[i] as string);
  let masked = "";
  let kept = 0;
  for (;;) {
    const anchor = nearestAnchor(next);
    if (anchor === -1) break;
    const at = next[anchor] as number;
    const found = secretAt(text, at, anchor, hides);
    let from = at + 1;
    if (found && found.start >= kept) {
      masked += sliceText(text, kept, found.start) + found.mark + MASK + found.mark;
      kept = found.end;
      from = max(found.end, from);
    }
    for (let i = 0; i < ANCHORS.length; i++)
      if (next[i] !== -1 && (next[i] as number) < from)
        next[i] = indexOfText(text, ANCHORS[i] as string, from);
  }
  return kept === 0 ? text : masked + sliceText(text, kept);
}

function secretAt(text: string, at: number, anchor: number, hides: Hides): Found | undefined {
  if (anchor === EQUALS) return pairAt(text, at, hides);
  if (anchor === COLON) return passwordInUrl(text, at) ?? pairAt(text, at, hides);
  return authorizationAt(text, at + (ANCHORS[anchor] as string).length - 1, at - 1);
}

function nearestAnchor(next: readonly number[]): number {
  let nearest = -1;
  for (let i = 0; i < next.length; i++) {
    if (next[i] === -1) continue;
    if (nearest === -1 || (next[i] as number) < (next[nearest] as number)) nearest = i;
  }
  return nearest;
}
