/** Where the hub is: one machine, and the ports of its two wires. */
export interface HubAddress {
  /** Scheme and host, for example `ws://127.0.0.1`. */
  readonly address: string;
  readonly consolePort: number;
  readonly relayPort: number;
}

export const DEFAULT_HUB: HubAddress = {
  address: "ws://127.0.0.1",
  consolePort: 9223,
  relayPort: 19222,
};

/** Reads a stored or configured address. Each part that is missing or wrong comes from `fallback`. */
export function readHubAddress(stored: unknown, fallback: HubAddress = DEFAULT_HUB): HubAddress {
  const { address, consolePort, relayPort } = (stored ?? {}) as Partial<HubAddress>;
  return {
    address: (typeof address === "string" && parseAddress(address).address) || fallback.address,
    consolePort: isPort(consolePort) ? consolePort : fallback.consolePort,
    relayPort: isPort(relayPort) ? relayPort : fallback.relayPort,
  };
}

export function consoleUrl({ address, consolePort }: HubAddress): string {
  return `${address}:${consolePort}`;
}

export function relayUrl({ address, relayPort }: HubAddress): string {
  return `${address}:${relayPort}`;
}

/** Scheme and host of what a person typed, or what is wrong with it. */
export function parseAddress(
  text: string,
):
  | { readonly address: string; readonly problem?: undefined }
  | { readonly address?: undefined; readonly problem: string } {
  const trimmed = text.trim();
  let parsed: URL;
  try {
    parsed = new URL(trimmed.includes("://") ? trimmed : `ws://${trimmed}`);
  } catch {
    return { problem: `"${trimmed}" is not an address; use a host such as ${DEFAULT_HUB.address}` };
  }
  if (parsed.protocol !== "ws:" && parsed.protocol !== "wss:")
    return { problem: `an address starts with ws:// or wss://, not ${parsed.protocol}//` };
  if (parsed.port !== "")
    return { problem: `"${trimmed}" contains port ${parsed.port}; enter the ports in their own fields` };
  // Both mean this machine, but "localhost" may lead to [::1], where the hub does not listen and others can.
  const host = parsed.hostname === "localhost" ? "127.0.0.1" : parsed.hostname;
  return { address: `${parsed.protocol}//${host}` };
}

/** What is wrong with a port that a person typed, or `undefined`. */
export function portProblem(name: string, port: unknown): string | undefined {
  return isPort(port) ? undefined : `${name} must be a number from 1 to 65535`;
}

function isPort(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65_535;
}
