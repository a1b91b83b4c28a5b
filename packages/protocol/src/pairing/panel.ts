import { toHex, utf8 } from "./bytes.js";
import { type Handshake, importPairingKey } from "./proof.js";

/**
 * The key of the extension's own pages for the chat API, derived from the pairing key. Pages prove with it that they
 * belong to the extension; it opens no wire and no tab.
 */
export async function importPanelKey(pairingKey: string): Promise<CryptoKey> {
  const key = await importPairingKey(pairingKey);
  const derived = await crypto.subtle.sign("HMAC", key, utf8("debug-bridge panel key 1"));
  return importPairingKey(toHex(derived));
}

/**
 * What a page sends with its requests after both ends have proved themselves. Both compute it, and the hub never sends
 * it. It holds for one hub only, because it depends on a nonce of that hub.
 */
export async function panelTicket(key: CryptoKey, handshake: Handshake): Promise<string> {
  const { address, extensionNonce, hubNonce } = handshake;
  const text = ["debug-bridge panel ticket 1", address, extensionNonce, hubNonce].join("\n");
  return toHex(await crypto.subtle.sign("HMAC", key, utf8(text)));
}
