import { GRANT_TEXT, type TabAccess } from "@debug-bridge/protocol";
import { consoleUrl, relayUrl } from "../connection/address.js";
import type { ConnectionEnd } from "../connection/log.js";
import type { ConnectionStates } from "../connection/manager.js";
import type { PairingState } from "../connection/pairing.js";
import type { ConnectionState } from "../connection/state.js";
import { summarize } from "../connection/summary.js";
import type { ConsoleDetails } from "../console/console-wire.js";
import type { GrantRequest } from "../debugger/access/grant-requests.js";
import type { AgentTab } from "../debugger/agents-view.js";
import type { Settings } from "../settings/settings.js";

/** The worker's state, as it is sent to the popup. */
export interface PopupView {
  /** Number of the last change of this popup that is stored; 0 before the first. */
  readonly storedChange: number;
  readonly settings: Settings;
  readonly settingsProblem?: string;
  readonly connections: ConnectionStates;
  readonly pairing: PairingState;
  /** Ends of connections, oldest first. */
  readonly ends: readonly ConnectionEnd[];
  readonly console: ConsoleDetails;
  readonly capturedTabs: readonly { readonly tabId: number; readonly title: string; readonly url: string }[];
  readonly agentTabs: readonly AgentTab[];
  /** Clients that wait because no tab is shared. */
  readonly waiting: readonly string[];
  /** Grants that clients ask for now. */
  readonly questions: readonly GrantRequest[];
  readonly dashboardUrl?: string;
  /** How many picks for agents have begun, and why the last one could not. */
  readonly picks?: { readonly started: number; readonly problem?: string };
}

/** The state of both connections in one line. */
export function statusLine({ connections }: Pick<PopupView, "connections">, now: number): string {
  const { console, relay } = connections;
  switch (summarize(connections)) {
    case "connected":
      return "Connected";
    case "partly-connected":
      return console.status === "connected" ? "Connected (console only)" : "Connected (agents only)";
    case "incompatible":
      return "Incompatible versions";
    case "unpaired":
      return "Not paired";
    case "waiting":
    case "connecting":
      return wireLine(console.status === "failed" || console.status === "idle" ? relay : console, now);
    case "failed":
      return "No hub found";
    case "idle":
      return "Not connected";
  }
}

/** One line per wire, when their states differ. */
export function wireLines({ connections }: Pick<PopupView, "connections">, now: number): string[] {
  const { console, relay } = connections;
  if (console.status === relay.status) return [];
  return [`Console: ${wireLine(console, now)}`, `Agents: ${wireLine(relay, now)}`];
}

function wireLine(state: ConnectionState, now: number): string {
  switch (state.status) {
    case "idle":
      return "Not connected";
    case "connecting":
      return "Connecting…";
    case "connected":
      return "Connected";
    case "waiting": {
      const seconds = Math.max(0, Math.ceil((state.retryAt - now) / 1_000));
      return `No hub; attempt ${state.retries} of ${state.maxRetries} in ${seconds} s`;
    }
    case "failed":
      return "No hub found";
    case "incompatible":
      return "Incompatible versions";
    case "unpaired":
      return "Not paired";
  }
}

/** What is wrong, and what the person can do about it. */
export function problemLine(view: PopupView): string | undefined {
  const { connections, settings, settingsProblem, console, picks } = view;
  if (settingsProblem) return settingsProblem;
  const unpaired = [connections.console, connections.relay].find(({ status }) => status === "unpaired");
  if (unpaired?.status === "unpaired") return unpaired.advice;
  if (connections.console.status === "failed" && connections.relay.status !== "connected")
    return `No hub answers at ${consoleUrl(settings.hub)} or ${relayUrl(settings.hub)}. Start one with “debug-bridge up”, then try again.`;
  if (picks?.problem) return `No element can be picked: ${picks.problem}`;
  const errors = [console.lastMessageError, connections.console.lastError, connections.relay.lastError];
  const known = [...new Set(errors.filter((error) => error !== undefined))];
  return known.length > 0 ? `Last error: ${known.join("; ")}` : undefined;
}

/** A match pattern without its path. */
export function siteName(pattern: string): string {
  return pattern.replace(/\/\*$/, "");
}

/** What agents may do in a tab, in words. */
function accessText({ level, site }: TabAccess): string {
  if (level === "full") return "full access";
  return level === "read-only" ? "read-only" : `only ${site ?? "its own site"}`;
}

/** Who uses a tab, or why nobody can. */
export function tabLine({ clients, restricted, access, offered }: AgentTab): string {
  if (clients.length > 0) return `used by ${clients.join(", ")}`;
  if (restricted) return restricted;
  if (!access) return "not shared";
  return offered ? accessText(access) : `paused: not on ${access.site ?? "its site"}`;
}

/** Shared tabs, and the others that could be; the current one and those in use first. */
export function sortTabs(
  tabs: readonly AgentTab[],
  current: number | undefined,
): { readonly shared: readonly AgentTab[]; readonly others: readonly AgentTab[] } {
  const rank = (tab: AgentTab): number => (tab.tabId === current ? 0 : tab.clients.length > 0 ? 1 : 2);
  const sorted = tabs.filter(({ restricted }) => !restricted).sort((a, b) => rank(a) - rank(b));
  return {
    shared: sorted.filter(({ access }) => access),
    others: sorted.filter(({ access, tabId }) => !access && tabId !== current),
  };
}

/** The question of a client that needs a grant. */
export function questionText({ client, grant }: GrantRequest): string {
  return `${client} wants to ${GRANT_TEXT[grant]}.`;
}

/** The end of a connection in one line. */
export function endLine({ at, wire, reason }: ConnectionEnd): string {
  return `${new Date(at).toLocaleTimeString()} ${wire}: ${reason}`;
}
