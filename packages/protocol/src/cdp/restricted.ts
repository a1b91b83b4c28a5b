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
