const KEY = "debug-bridge-token";

/**
 * The token comes in the fragment of the address that the hub prints, which no server and no log ever sees. It is kept
 * for this tab only, and taken out of the address bar.
 */
export function takeToken(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }
  return given ?? sessionStorage.getItem(KEY) ?? undefined;
}
