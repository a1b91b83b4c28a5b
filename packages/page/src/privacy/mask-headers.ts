import { MASK } from "@debug-bridge/protocol";
import type { Masker } from "./masker.js";

const HEADER_LENGTH = 2_048;
const SECRET_HEADER = /^(?:set-)?cookie\d?$|authorization$/i;

/** Headers without the values that must not be seen. */
export function maskHeaders(
  headers: Readonly<Record<string, string>>,
  masker: Masker,
): Record<string, string> {
  const hides = (name: string): boolean => SECRET_HEADER.test(name) || masker.hides(name);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      hides(name) ? MASK : masker.fit(value, HEADER_LENGTH),
    ]),
  );
}
