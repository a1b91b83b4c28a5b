import { fromHex, randomHex, toHex, utf8 } from "./bytes.js";

/**
 * Pairing by a code that popup and terminal both show. Both ends make a key pair for this one exchange. The hub commits to
 * its nonce before it sees that of the extension, so that a program between them cannot search for keys that lead to the
 * same code on both sides: it has one chance in a million, and the person sees when it fails.
 */

/** The key pair of one end for one exchange. */
export interface CodeKeys {
  /** The point in raw form, as hex. */
  readonly publicKey: string;
  readonly privateKey: CryptoKey;
}

/** What both ends have seen of each other. */
export interface CodeTranscript {
  readonly extensionKey: string;
  readonly hubKey: string;
  readonly extensionNonce: string;
  readonly hubNonce: string;
}

/** A pairing key, encrypted for the other end. */
export interface SealedKey {
  readonly iv: string;
  readonly sealed: string;
}

/** The secrets that only the two ends of an exchange have. */
export interface CodeSecrets {
  /** Shows that the person confirmed the code at the extension. */
  readonly confirm: CryptoKey;
  readonly seal: CryptoKey;
}

const CURVE = { name: "ECDH", namedCurve: "P-256" } as const;
const PUBLIC_KEY = /^04[0-9a-f]{128}$/;
const DIGITS = 6;

export function isCodePublicKey(value: unknown): value is string {
  return typeof value === "string" && PUBLIC_KEY.test(value);
}

export async function createCodeKeys(): Promise<CodeKeys> {
  const pair = await crypto.subtle.generateKey(CURVE, false, ["deriveBits"]);
  return {
    publicKey: toHex(await crypto.subtle.exportKey("raw", pair.publicKey)),
    privateKey: pair.privateKey,
  };
}

/** What the hub sends before it reveals its nonce. */
export function commitCode(transcript: Omit<CodeTranscript, "extensionNonce">): Promise<string> {
  const { hubKey, extensionKey, hubNonce } = transcript;
  return digest(["commit", hubKey, extensionKey, hubNonce]).then(toHex);
}

/** The code that both ends show: six digits. */
export async function pairingCode(transcript: CodeTranscript): Promise<string> {
  const { extensionKey, hubKey, extensionNonce, hubNonce } = transcript;
  const bytes = await digest(["code", extensionKey, hubKey, extensionNonce, hubNonce]);
  const number = new DataView(bytes).getUint32(0) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
}

/** Derives the secrets of an exchange. Rejects if the other end's key is not a point of the curve. */
export async function codeSecrets(
  own: CodeKeys,
  otherPublicKey: string,
  transcript: CodeTranscript,
): Promise<CodeSecrets> {
  const other = await crypto.subtle.importKey("raw", fromHex(otherPublicKey), CURVE, false, []);
  const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: other }, own.privateKey, 256);
  const base = await crypto.subtle.importKey("raw", shared, "HKDF", false, ["deriveKey"]);
  const { extensionKey, hubKey, extensionNonce, hubNonce } = transcript;
  const salt = await digest(["keys", extensionKey, hubKey, extensionNonce, hubNonce]);
  const derive = (info: string, type: HmacKeyGenParams | AesKeyGenParams, uses: KeyUsage[]) =>
    crypto.subtle.deriveKey(
      { name: "HKDF", hash: "SHA-256", salt, info: utf8(info) },
      base,
      type,
      false,
      uses,
    );
  const [confirm, seal] = await Promise.all([
    derive("confirm", { name: "HMAC", hash: "SHA-256", length: 256 }, ["sign", "verify"]),
    derive("seal", { name: "AES-GCM", length: 256 }, ["encrypt", "decrypt"]),
  ]);
  return { confirm, seal };
}

const CONFIRMED = utf8("debug-bridge code 1\nconfirmed");

export async function createConfirmation({ confirm }: CodeSecrets): Promise<string> {
  return toHex(await crypto.subtle.sign("HMAC", confirm, CONFIRMED));
}

export function checkConfirmation({ confirm }: CodeSecrets, confirmation: string): Promise<boolean> {
  return crypto.subtle.verify("HMAC", confirm, fromHex(confirmation), CONFIRMED);
}

export async function sealPairingKey({ seal }: CodeSecrets, pairingKey: string): Promise<SealedKey> {
  const iv = randomHex(12);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: fromHex(iv) }, seal, fromHex(pairingKey));
  return { iv, sealed: toHex(sealed) };
}

/** Rejects if the key was sealed by somebody else. */
export async function openPairingKey({ seal }: CodeSecrets, { iv, sealed }: SealedKey): Promise<string> {
  return toHex(await crypto.subtle.decrypt({ name: "AES-GCM", iv: fromHex(iv) }, seal, fromHex(sealed)));
}

/** No field contains a line break, so no two lists have the same text. */
function digest(fields: readonly string[]): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", utf8(["debug-bridge code 1", ...fields].join("\n")));
}
