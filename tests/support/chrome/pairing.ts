import { pairingKey, tokenOf } from "@debug-bridge/client";
import {
  checkProof,
  createPairingHex,
  createProof,
  type Handshake,
  importPairingKey,
  type PairedWire,
} from "@debug-bridge/protocol";
import type { WebSocket } from "ws";

/** The key of hubs that only tests have. */
const TEST_PAIRING_KEY = "7e".repeat(32);

/** The homes of the hubs that tests started, by the addresses of their wires. */
const homes = new Map<string, string>();

/** Remembers whose hub listens at these addresses, so that peers in tests know its secrets. */
export function rememberHome(home: string, ...urls: string[]): void {
  for (const url of urls) homes.set(new URL(url).host, home);
}

/** The pairing key of the hub at an address; that of the tests if it is no real hub. */
export function pairingKeyOf(url: string | undefined): string {
  const home = url === undefined ? undefined : homes.get(new URL(url).host);
  return (home === undefined ? undefined : pairingKey(home)) ?? TEST_PAIRING_KEY;
}

/** Headers with the token of the hub at an address. */
export function tokenHeaders(url: string): Record<string, string> {
  const home = homes.get(new URL(url).host);
  const token = home === undefined ? undefined : tokenOf(home);
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** The hub's side of the handshake. Resolves when the extension has proved itself. */
export async function proveAsHub(
  socket: WebSocket,
  wire: PairedWire,
  address: string,
  key = TEST_PAIRING_KEY,
): Promise<void> {
  const next = messages(socket);
  const imported = await importPairingKey(key);
  const hello = await next();
  const handshake: Handshake = {
    ...{ wire, address, hubNonce: createPairingHex() },
    extensionNonce: String(hello.params?.nonce),
  };
  const proof = await createProof(imported, "hub", handshake);
  socket.send(JSON.stringify({ method: "pairChallenge", params: { nonce: handshake.hubNonce, proof } }));
  const answer = await next();
  if (!(await checkProof(imported, "extension", handshake, answer.params?.proof)))
    throw new Error("the extension did not prove itself");
  next.stop();
  socket.send('{"method":"paired"}');
}

/** The extension's side of the handshake. Rejects if the hub does not prove itself or refuses. */
export async function proveAsExtension(socket: WebSocket, wire: PairedWire, key: string): Promise<void> {
  const next = messages(socket);
  const imported = await importPairingKey(key);
  const extensionNonce = createPairingHex();
  socket.send(JSON.stringify({ method: "pairHello", params: { version: 1, nonce: extensionNonce } }));
  const { params } = await next();
  const handshake = {
    ...{ wire, address: new URL(socket.url).host, extensionNonce },
    hubNonce: String(params?.nonce),
  };
  if (!(await checkProof(imported, "hub", handshake, params?.proof)))
    throw new Error("the hub did not prove itself");
  const proof = await createProof(imported, "extension", handshake);
  socket.send(JSON.stringify({ method: "pairProof", params: { proof } }));
  const { method } = await next();
  next.stop();
  if (method !== "paired") throw new Error(`the hub answered ${method}`);
}

interface Message {
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/** The messages of a socket, one by one, until `stop`. Those that follow are for other listeners. */
function messages(socket: WebSocket): (() => Promise<Message>) & { stop(): void } {
  const arrived: Message[] = [];
  let wake = (): void => {};
  const onMessage = (data: unknown): void => {
    arrived.push(JSON.parse(String(data)) as Message);
    wake();
  };
  let closed: string | undefined;
  const onClose = (code: number, reason: Buffer): void => {
    closed = `closed with ${code}: ${String(reason)}`;
    wake();
  };
  socket.on("message", onMessage);
  socket.on("close", onClose);
  const next = async (): Promise<Message> => {
    for (;;) {
      const message = arrived.shift();
      if (message) return message;
      if (closed !== undefined) throw new Error(closed);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const stop = (): void => {
    socket.off("message", onMessage).off("close", onClose);
    // What arrived together with the last step is for the next listener.
    const rest = arrived.splice(0).map((message) => Buffer.from(JSON.stringify(message)));
    setImmediate(() => {
      for (const data of rest) socket.emit("message", data, false);
    });
  };
  return Object.assign(next, { stop });
}
