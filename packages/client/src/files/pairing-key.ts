import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { loadSecret, readSecret, replaceSecret, type SecretKind } from "./secret-file.js";

/** 32 random bytes in hex. */
const PAIRING_KEY: SecretKind = {
  name: "pairing-key",
  pattern: /^[0-9a-f]{64}$/,
  create: () => randomBytes(32).toString("hex"),
};

/** The key that the hubs of a home share with the extension, created at first use in a file that only its owner can read. */
export function loadPairingKey(home: string): string {
  return loadSecret(join(home, PAIRING_KEY.name), PAIRING_KEY);
}

/** Replaces the pairing key of a home. Hubs that run on it disconnect every extension with the old one. */
export function replacePairingKey(home: string): string {
  return replaceSecret(join(home, PAIRING_KEY.name), PAIRING_KEY);
}

/** The pairing key of a home, if one was created. */
export function pairingKey(home: string): string | undefined {
  return readSecret(join(home, PAIRING_KEY.name), PAIRING_KEY);
}
