const KEY = "debug-bridge-token";

/**
 * Reads the token from the fragment of the address, which browsers send to no server, and removes it from the address
 * bar. It is stored for this tab only. What else the fragment says stays.
 */
export function readToken(): string | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const given = fragment.get("token");
  if (given) {
    storeToken(given);
    fragment.delete("token");
    const rest = fragment.size > 0 ? `#${fragment}` : "";
    history.replaceState(null, "", `${location.pathname}${rest}`);
  }
  return given ?? sessionStorage.getItem(KEY) ?? undefined;
}

/** Stores a token for this tab only. */
export function storeToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}
