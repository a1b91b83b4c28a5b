import { Masker } from "@debug-bridge/driver";
import { MASK } from "@debug-bridge/protocol";

/** Masks what was not masked in a page: messages of an SDK that masks nothing, and what an agent wrote about itself. */
export const masker = new Masker();

/** Data without the values that have secret names and the secrets inside its texts. */
export function maskData(value: unknown, name = ""): unknown {
  if (name !== "" && masker.hides(name, value)) return MASK;
  if (typeof value === "string") return masker.body(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskData(item));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskData(member, key)]));
}
