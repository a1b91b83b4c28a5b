import { BridgeError } from "@debug-bridge/protocol";

/** Hub names and namespaces are parts of subjects and of the names of buckets. */
const NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** A part of a name for NATS, or an error that says what it may be. */
export function checkedName(what: string, name: string): string {
  if (NAME.test(name)) return name;
  throw new BridgeError(
    "invalid_message",
    `${what} is ${JSON.stringify(name)}; use 1 to 100 letters, digits, "-" or "_"`,
  );
}

/** Session ids have characters that subjects and keys cannot have. */
export function encodeKey(key: string): string {
  return Buffer.from(key).toString("base64url");
}

export function decodeKey(token: string): string {
  return Buffer.from(token, "base64url").toString();
}
