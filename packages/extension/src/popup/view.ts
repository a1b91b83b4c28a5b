import type { ConnectionState } from "../worker/state.js";

/** What the worker tells the popup. */
export interface PopupView {
  readonly connection: ConnectionState;
  readonly address: string;
  readonly sites: readonly string[];
  readonly tabs: readonly { readonly tabId: number; readonly title: string; readonly url: string }[];
}

/** The state of the connection in one line. */
export function statusLine({ status, retries, retryAt }: ConnectionState, now: number): string {
  switch (status) {
    case "idle":
      return "Not connected";
    case "connecting":
      return "Connecting…";
    case "connected":
      return "Connected";
    case "waiting": {
      const seconds = Math.max(0, Math.ceil(((retryAt ?? now) - now) / 1_000));
      return `No hub; attempt ${retries} of 5 in ${seconds} s`;
    }
    case "failed":
      return "No hub found";
    case "incompatible":
      return "Versions do not fit";
  }
}

/** What a person can do when there is no hub. */
export function problemLine({ status, lastError }: ConnectionState, address: string): string | undefined {
  if (status === "failed") {
    return `No hub answers at ${address} (${lastError ?? "no answer"}). Start one with “debug-bridge console” or “debug-bridge up”, then try again.`;
  }
  return lastError ? `Last error: ${lastError}` : undefined;
}

/** A match pattern as a person reads it. */
export function siteName(pattern: string): string {
  return pattern.replace(/\/\*$/, "");
}
