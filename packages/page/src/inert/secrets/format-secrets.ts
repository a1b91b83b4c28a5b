import { indexOfText, sliceText } from "../natives.js";
import { type Hides, maskText } from "./mask-text.js";

/** Long and mixed enough to be masked wherever a secret would be. */
const PROBE = "x1y2z3w4v5";
const MAX_LABEL = 120;

/**
 * Whether the argument that a format puts at its nth specifier is a secret by the text before it, as in
 * `"password=%s"`. `index` counts arguments from 0. Masking each argument alone would not see it.
 */
export function isSecretInFormat(format: string, index: number, hides?: Hides): boolean {
  let used = 0;
  for (let at = indexOfText(format, "%"); at !== -1; at = indexOfText(format, "%", at + 2)) {
    const letter = sliceText(format, at + 1, at + 2);
    if (letter === "" || indexOfText("sdifoOc", letter) === -1) continue;
    if (used++ !== index) continue;
    const label = sliceText(format, at > MAX_LABEL ? at - MAX_LABEL : 0, at);
    return indexOfText(maskText(label + PROBE, hides), PROBE) === -1;
  }
  return false;
}
