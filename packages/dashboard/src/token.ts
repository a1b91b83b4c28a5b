const KEY = "debug-bridge-token";

/**
 * Reads the token from the fragment of the address, which browsers send to no server, and removes it from the address
 * bar. It is stored for this tab only.
 */
export function readToken(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }
  return given ?? sessionStorage.getItem(KEY) ?? undefined;
}
