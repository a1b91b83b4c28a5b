import { BridgeError, type Command } from "@debug-bridge/protocol";
import type { LoadPart, Parts } from "./parts.js";

/** The part that a command needs. */
export function partFor<Name extends keyof Parts>(
  name: Name,
  { type }: Command,
  { loadPart }: { readonly loadPart: LoadPart },
): Promise<Parts[Name]> {
  return loadPart(name).catch((thrown: unknown) => {
    const message = `${type} needs a part that did not load: ${BridgeError.from(thrown).message}. Nothing was done; make it load and send this again`;
    throw new BridgeError("internal", message, { retry: true });
  });
}
