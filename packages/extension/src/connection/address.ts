/** Where the hub is: one machine, and the ports of its two wires. */
export interface HubAddress {
  /** Scheme and host, for example `ws://127.0.0.1`. */
  readonly address: string;
  readonly consolePort: number;
  readonly relayPort: number;
}

const MAX_OTHER_HUBS = 8;

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

/** Further hubs as they are stored or configured; those that are wrong are left out. */
export function readOtherHubs(stored: unknown): HubAddress[] {
  const isComplete = (each: unknown): boolean => {
    const { address, consolePort, relayPort } = Object(each) as Partial<HubAddress>;
    return (
      typeof address === "string" &&
      parseAddress(address).address !== undefined &&
      isPort(consolePort) &&
      isPort(relayPort)
    );
  };
  return Array.isArray(stored)
    ? stored
        .filter(isComplete)
        .slice(0, MAX_OTHER_HUBS)
        .map((each) => readHubAddress(each))
    : [];
}

/** Further hubs as a person types them, `HOST:CONSOLE_PORT/RELAY_PORT` with spaces between them, or what is wrong with them. */
export function parseOtherHubs(
  text: string,
):
  | { readonly hubs: HubAddress[]; readonly problem?: undefined }
  | { readonly hubs?: undefined; readonly problem: string } {
  const hubs: HubAddress[] = [];
  for (const each of text.split(/[\s,]+/).filter(Boolean)) {
    const [, host = "", consolePort, relayPort] = /^(.+):(\d+)\/(\d+)$/.exec(each) ?? [];
    const { address } = parseAddress(host);
    const ports = { consolePort: Number(consolePort), relayPort: Number(relayPort) };
    if (address === undefined || !isPort(ports.consolePort) || !isPort(ports.relayPort))
      return { problem: `"${each}" is not HOST:CONSOLE_PORT/RELAY_PORT, such as 127.0.0.1:9224/19223` };
    hubs.push({ address, ...ports });
  }
  if (hubs.length > MAX_OTHER_HUBS) return { problem: `enter at most ${MAX_OTHER_HUBS} other hubs` };
  return { hubs };
}

export function otherHubsText(hubs: readonly HubAddress[]): string {
  return hubs
    .map(({ address, consolePort, relayPort }) => `${address}:${consolePort}/${relayPort}`)
    .join(" ");
}

/** What is wrong with a port that a person typed, or `undefined`. */
export function portProblem(name: string, port: unknown): string | undefined {
  return isPort(port) ? undefined : `${name} must be a number from 1 to 65535`;
}

function isPort(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65_535;
}
