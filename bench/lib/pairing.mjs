/** Pairing for benchmarks: the extension's copy gets the key, and peers prove themselves as hub or extension. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPairingHex, createProof, importPairingKey } from "@debug-bridge/protocol";

const unpacked = fileURLToPath(new URL("../../packages/extension/dist/unpacked", import.meta.url));

/** Copies the built extension into a folder, paired by this key. Port 1 is blocked in Chrome: that wire is not measured. */
export function copyExtension(folder, { consolePort = 1, relayPort = 1, pairingKey }) {
  cpSync(unpacked, folder, { recursive: true });
  const hub = { address: "ws://127.0.0.1", consolePort, relayPort };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ hub, pairingKey, share: "all" }));
}

const next = (socket) =>
  new Promise((resolve, reject) => {
    socket.once("message", (data) => resolve(JSON.parse(String(data))));
    socket.once("close", () => reject(new Error("the other end closed the connection")));
  });

/** The extension's side of the handshake. */
export async function proveAsExtension(socket, wire, pairingKey) {
  const key = await importPairingKey(pairingKey);
  const extensionNonce = createPairingHex();
  const challenge = next(socket);
  socket.send(JSON.stringify({ method: "pairHello", params: { version: 1, nonce: extensionNonce } }));
  const hubNonce = (await challenge).params.nonce;
  const handshake = { wire, address: new URL(socket.url).host, extensionNonce, hubNonce };
  const proof = await createProof(key, "extension", handshake);
  const paired = next(socket);
  socket.send(JSON.stringify({ method: "pairProof", params: { proof } }));
  await paired;
}

/** The hub's side of the handshake, for a hub that only the benchmark has. */
export async function proveAsHub(socket, wire, address, pairingKey) {
  const hello = next(socket);
  const key = await importPairingKey(pairingKey);
  const extensionNonce = (await hello).params.nonce;
  const hubNonce = createPairingHex();
  const proof = await createProof(key, "hub", { wire, address, extensionNonce, hubNonce });
  const answer = next(socket);
  socket.send(JSON.stringify({ method: "pairChallenge", params: { nonce: hubNonce, proof } }));
  await answer;
  socket.send('{"method":"paired"}');
}
