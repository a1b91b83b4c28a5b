/** What the person allows agents to do. */
export interface AccessSettings {
  /** `automatic`: all tabs; `manual`: only tabs that the person handed over. */
  readonly mode: "automatic" | "manual";
  /** Only tabs of this host and its subdomains. */
  readonly site?: string | undefined;
  /** Agents can look but not act. */
  readonly readOnly: boolean;
  /** Whether a cursor and a tab group show where agents work. */
  readonly visible: boolean;
}

export const DEFAULT_ACCESS: AccessSettings = { mode: "automatic", readOnly: false, visible: true };

/** Reads stored settings of any shape. */
export function readAccess(stored: unknown): AccessSettings {
  const { mode, site, readOnly, visible } = (stored ?? {}) as Partial<AccessSettings>;
  return {
    mode: mode === "manual" ? "manual" : "automatic",
    ...(typeof site === "string" && site !== "" ? { site } : {}),
    readOnly: readOnly === true,
    visible: visible !== false,
  };
}

/** The host in what a person typed: a host or an address. */
export function parseHost(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  try {
    return new URL(trimmed.includes("://") ? trimmed : `http://${trimmed}`).hostname || undefined;
  } catch {
    return undefined;
  }
}
