import { checkProof, createPairingHex, createProof, isPairingHex } from "@debug-bridge/protocol";
import type { WireName } from "./wire.js";

export interface HandshakeLink {
  send(text: string): void;
  /** Both sides have proved themselves. */
  proven(): void;
  /** The other end is not the person's hub. */
  failed(): void;
}

/** The longest message of a handshake is far below this. */
const MAX_CHARACTERS = 1_024;

/**
 * The extension's side of the handshake. The hub has to prove that it knows the pairing key before the extension proves
 * anything; until both are done, no other message is sent, and none is obeyed.
 */
export function startHandshake(
  key: CryptoKey,
  wire: WireName,
  url: string,
  link: HandshakeLink,
): (data: unknown) => void {
  const extensionNonce = createPairingHex();
  let step: "challenge" | "checking" | "paired" | "done" = "challenge";

  const fail = (): void => {
    step = "done";
    link.failed();
  };
  const onChallenge = async ({ nonce, proof }: Record<string, unknown>): Promise<void> => {
    if (!isPairingHex(nonce)) return fail();
    const handshake = { wire, address: addressOf(url), extensionNonce, hubNonce: nonce };
    const isHub = await checkProof(key, "hub", handshake, proof);
    if (!isHub) return fail();
    const own = await createProof(key, "extension", handshake);
    if (step !== "checking") return;
    step = "paired";
    link.send(JSON.stringify({ method: "pairProof", params: { proof: own } }));
  };

  link.send(JSON.stringify({ method: "pairHello", params: { version: 1, nonce: extensionNonce } }));
  return (data) => {
    const { method, params } = readMessage(data);
    if (step === "challenge" && method === "pairChallenge") {
      step = "checking";
      void onChallenge(Object(params) as Record<string, unknown>);
    } else if (step === "paired" && method === "paired") {
      step = "done";
      link.proven();
    } else if (step !== "done") fail();
  };
}

function readMessage(data: unknown): { method?: unknown; params?: unknown } {
  if (typeof data !== "string" || data.length > MAX_CHARACTERS) return {};
  try {
    return Object(JSON.parse(data)) as { method?: unknown; params?: unknown };
  } catch {
    return {};
  }
}

/** Host and port of an address, with the port that its scheme implies. */
function addressOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || (protocol === "wss:" ? 443 : 80)}`;
}
