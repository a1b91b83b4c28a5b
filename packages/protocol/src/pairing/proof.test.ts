import { expect, it } from "vitest";
import { checkProof, createPairingHex, createProof, type Handshake, importPairingKey } from "./proof.js";

const handshake: Handshake = {
  wire: "relay",
  address: "127.0.0.1:19222",
  extensionNonce: createPairingHex(),
  hubNonce: createPairingHex(),
};

it("accepts the proof of the same key, role and handshake, and of nothing else", async () => {
  const key = await importPairingKey(createPairingHex());
  const proof = await createProof(key, "hub", handshake);
  expect(await checkProof(key, "hub", handshake, proof)).toBe(true);
  // A proof that is sent back to its sender, over the other wire, from another port, or again later.
  expect(await checkProof(key, "extension", handshake, proof)).toBe(false);
  expect(await checkProof(key, "hub", { ...handshake, wire: "console" }, proof)).toBe(false);
  expect(await checkProof(key, "hub", { ...handshake, address: "127.0.0.1:19223" }, proof)).toBe(false);
  expect(await checkProof(key, "hub", { ...handshake, extensionNonce: createPairingHex() }, proof)).toBe(
    false,
  );
  expect(await checkProof(key, "hub", { ...handshake, hubNonce: createPairingHex() }, proof)).toBe(false);
  const other = await importPairingKey(createPairingHex());
  expect(await checkProof(other, "hub", handshake, proof)).toBe(false);
});

it("refuses what is not a proof", async () => {
  const key = await importPairingKey(createPairingHex());
  for (const proof of [undefined, null, "", "00", "0".repeat(63), "G".repeat(64), 5, {}])
    expect(await checkProof(key, "hub", handshake, proof)).toBe(false);
});
