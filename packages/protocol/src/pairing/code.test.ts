import { expect, it } from "vitest";
import {
  checkConfirmation,
  codeSecrets,
  commitCode,
  createCodeKeys,
  createConfirmation,
  openPairingKey,
  pairingCode,
  sealPairingKey,
} from "./code.js";
import { createPairingHex } from "./proof.js";

async function exchange() {
  const [extension, hub, stranger] = await Promise.all([
    createCodeKeys(),
    createCodeKeys(),
    createCodeKeys(),
  ]);
  const transcript = {
    extensionKey: extension.publicKey,
    hubKey: hub.publicKey,
    extensionNonce: createPairingHex(),
    hubNonce: createPairingHex(),
  };
  return { extension, hub, stranger, transcript };
}

it("gives both ends the same code and the same secrets, and passes the pairing key", async () => {
  const { extension, hub, transcript } = await exchange();
  const atHub = await codeSecrets(hub, extension.publicKey, transcript);
  const atExtension = await codeSecrets(extension, hub.publicKey, transcript);
  expect(await pairingCode(transcript)).toMatch(/^\d{6}$/);
  expect(await checkConfirmation(atHub, await createConfirmation(atExtension))).toBe(true);
  const key = createPairingHex();
  expect(await openPairingKey(atExtension, await sealPairingKey(atHub, key))).toBe(key);
});

it("depends on every key and nonce", async () => {
  const { stranger, transcript } = await exchange();
  const code = await pairingCode(transcript);
  const commitment = await commitCode(transcript);
  for (const change of [
    { extensionKey: stranger.publicKey },
    { hubKey: stranger.publicKey },
    { hubNonce: createPairingHex() },
  ]) {
    expect(await pairingCode({ ...transcript, ...change })).not.toBe(code);
    expect(await commitCode({ ...transcript, ...change })).not.toBe(commitment);
  }
});

it("gives a program between both ends neither the confirmation nor the key", async () => {
  const { extension, hub, stranger, transcript } = await exchange();
  const atHub = await codeSecrets(hub, extension.publicKey, transcript);
  const between = await codeSecrets(stranger, hub.publicKey, transcript);
  expect(await checkConfirmation(atHub, await createConfirmation(between))).toBe(false);
  await expect(openPairingKey(between, await sealPairingKey(atHub, createPairingHex()))).rejects.toThrow();
});

it("refuses a key that is not on the curve", async () => {
  const { hub, transcript } = await exchange();
  await expect(codeSecrets(hub, `04${"11".repeat(64)}`, transcript)).rejects.toThrow();
});
