import { readFileSync } from "node:fs";
import { BridgeError } from "@debug-bridge/protocol";
import type { Asset } from "../http/app.js";
import type { SharedProgram } from "./html.js";

/** The paths of the assets that a shared file holds. */
export const SHARED_SCRIPT = "/shared-file.js";
export const SHARED_REPLAY = "/shared-replay.js";
const STYLE = "/dashboard.css";

/** The program of shared files, from what the hub serves. */
export function readProgram(assets: ReadonlyMap<string, Asset>): SharedProgram {
  const read = (path: string): string => {
    const file = assets.get(path)?.file;
    try {
      if (file !== undefined) return readFileSync(file, "utf8");
    } catch {
      // Reported below.
    }
    throw new BridgeError("not_supported", `${path} was not built; run npm run build`);
  };
  return { script: read(SHARED_SCRIPT), replay: read(SHARED_REPLAY), style: read(STYLE) };
}
