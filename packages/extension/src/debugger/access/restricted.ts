const WEB_STORE = /^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore)(\/|$)/;
const OPEN_SCHEMES = new Set(["http:", "https:", "file:", "data:", "blob:", "filesystem:", "ftp:"]);

/** Why no extension may debug a page; `undefined` when it may. */
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
  if (protocol === "chrome-extension:") return "a page of an extension, which no other extension may debug";
  return `a page of the browser itself (${protocol}//), which no extension may debug`;
}

/** Explains Chrome's error when a debugger cannot be attached. */
export function explainAttach(message: string, tabId: number): string {
  if (/chrome-extension:\/\/ URL of different extension/i.test(message))
    return `not_supported: tab ${tabId} shows a page or a frame of another extension (for example a password manager), which Chrome does not let others debug. Close what that extension shows in the page, or turn it off for this site`;
  if (/Cannot (access|attach)|extensions gallery|chrome:\/\//i.test(message))
    return `not_supported: tab ${tabId} is restricted: ${message}`;
  if (/No tab with/i.test(message))
    return `target_not_found: tab ${tabId} was closed; call listTabs to see the open tabs`;
  if (/Another debugger/i.test(message))
    return `conflict: another extension is debugging tab ${tabId}; stop it there first`;
  return `internal: tab ${tabId} cannot be attached: ${message}`;
}
