/**
 * A map that sends each line to itself and has DevTools ignore the script: console calls of the app are shown with the
 * app's line and not with that of our hook, and a step into a call skips it.
 */
export function ignoredMap(name, text) {
  const lines = text.trimEnd().split("\n").length;
  return {
    version: 3,
    sources: [`debug-bridge/${name}`],
    sourcesContent: [text],
    names: [],
    mappings: ["AAAA", ...Array(lines - 1).fill("AACA")].join(";"),
    ignoreList: [0],
    // The name that DevTools read before it was standardised.
    x_google_ignoreList: [0],
  };
}
