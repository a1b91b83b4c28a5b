import type { RelayState } from "../debugger/relay-link.js";
import type { AgentsView } from "../debugger/service.js";
import type { ConnectionState } from "../worker/state.js";

/** What the worker tells the popup. */
export interface PopupView {
  readonly connection: ConnectionState;
  readonly address: string;
  readonly sites: readonly string[];
  readonly agents: AgentsView;
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

/** The state of the connection with the relay in one line. */
export function relayLine({ status, lastError }: RelayState, address: string): string {
  switch (status) {
    case "connected":
      return `Connected to ${address}`;
    case "connecting":
      return "Connecting…";
    case "waiting":
      return `Lost ${address}; trying again…`;
    case "idle":
      return lastError?.startsWith("nothing answers")
        ? `No relay at ${address}. Start one with “debug-bridge up”.`
        : (lastError ?? "Not connected");
  }
}

/** What a person reads of a tab that agents may or may not use. */
export function tabLine(tab: AgentsView["tabs"][number]): string {
  if (tab.clients.length > 0) return `used by ${tab.clients.join(", ")}`;
  if (tab.restricted) return tab.restricted;
  return tab.offered ? "offered to agents" : "not offered";
}
