import { BridgeError, type Command } from "@debug-bridge/protocol";

/** What not every session needs: each part is loaded when a command first needs it. */
export interface Parts {
  readonly act: Pick<typeof import("./act.js"), "act">;
  readonly find: Pick<typeof import("./find.js"), "find">;
}

/** Loads a part by its name. A part that was loaded before is returned at once; a load that failed is tried again. */
export type LoadPart = <Name extends keyof Parts>(name: Name) => Promise<Parts[Name]>;

/** The part that a command needs. */
export function partFor<Name extends keyof Parts>(
  name: Name,
  { type }: Command,
  { loadPart }: { readonly loadPart: LoadPart },
): Promise<Parts[Name]> {
  return loadPart(name).catch((thrown: unknown) => {
    const message = `${type} needs a part of the SDK that did not load: ${BridgeError.from(thrown).message}. Nothing was done; check that the page can load it, and send this again`;
    throw new BridgeError("internal", message, { retry: true });
  });
}
