import type { BridgeError } from "@debug-bridge/protocol";
import { printMessage } from "./output.js";
import { paint } from "./style.js";

/** Shows what a hub of this process refused, and connections that broke. */
export function logRefusal(what: string, error: BridgeError): void {
  printMessage(`${paint("yellow", "refused")} ${what}: ${error.code}: ${error.message}`);
}
