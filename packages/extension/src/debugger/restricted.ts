const WEB_STORE = /^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore)(\/|$)/;
const OPEN_SCHEMES = new Set(["http:", "https:", "file:", "data:", "blob:", "filesystem:", "ftp:"]);

/** Why Chrome lets no debugger see a page, in words for a person; nothing when it does. */
export function restriction(url: string): string | undefined {
  if (url === "" || /^about:(blank|srcdoc)([?#]|$)/.test(url)) return undefined;
  if (WEB_STORE.test(url)) return "a page of the Chrome Web Store, which no extension may debug";
  let protocol: string;
  try {
    protocol = new URL(url).protocol;
  } catch {
    return `not an address: ${url.slice(0, 100)}`;
  }
  if (OPEN_SCHEMES.has(protocol)) return undefined;
  if (protocol === "chrome-extension:") return "a page of an extension, which no other one may debug";
  return `a page of the browser itself (${protocol}//), which no extension may debug`;
}

/** Puts words to what Chrome says when it lets no debugger in. */
export function explainAttach(message: string, tabId: number): string {
  if (/chrome-extension:\/\/ URL of different extension/i.test(message))
    return `not_supported: tab ${tabId} is, or holds a frame of, another extension (a password manager, for example), and Chrome lets no debugger see that. Close what that extension shows in the page, or turn it off for this site`;
  if (/Cannot (access|attach)|extensions gallery|chrome:\/\//i.test(message))
    return `not_supported: tab ${tabId} is restricted: ${message}`;
  if (/No tab with/i.test(message))
    return `target_not_found: there is no tab ${tabId} any more; ask listTabs`;
  if (/Another debugger/i.test(message))
    return `conflict: another extension debugs tab ${tabId} already; stop it there first`;
  return `internal: tab ${tabId} cannot be attached: ${message}`;
}
