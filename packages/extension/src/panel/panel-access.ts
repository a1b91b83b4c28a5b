/// <reference types="chrome" />
import {
  checkProof,
  createPairingHex,
  createProof,
  type Handshake,
  importPanelKey,
  isPairingHex,
  panelTicket,
} from "@debug-bridge/protocol";
import { type HubAccess, HubProblem } from "@debug-bridge/ui/chat";
import { readPairingHex } from "../connection/pairing-keys.js";
import { hubPage } from "./hub-page.js";
import { tabTools } from "./tab-tools.js";

interface Admitted {
  readonly url: string;
  readonly authorization: string;
}

const NOT_PAIRED =
  "This extension is not paired with a hub. Run debug-bridge extension, or choose “Pair with this computer” in the popup.";
const NOT_OUR_HUB = "What answers at the hub's address is not the hub that this extension is paired with.";

/**
 * How the side panel reaches the hub: both prove that they know the key derived from the pairing, the hub first. What the
 * panel sends afterwards is a ticket that both have computed, and never the token.
 */
export function panelAccess(): HubAccess {
  let admitted: Promise<Admitted> | undefined;
  const forget = (): void => {
    admitted = undefined;
  };
  const page = hubPage(forget);
  return {
    page: tabTools,
    connect() {
      const current = admitted ?? page.url().then(prove);
      admitted = current;
      current.catch(() => {
        if (admitted === current) admitted = undefined;
      });
      return current;
    },
    renew() {
      forget();
      return true;
    },
  };
}

async function prove(url: string): Promise<Admitted> {
  const pairing = await readPairingHex();
  if (pairing === undefined) throw new HubProblem(NOT_PAIRED);
  const key = await importPanelKey(pairing);
  const extensionNonce = createPairingHex();
  const { nonce, proof } = await post(`${url}/panel/hello`, { version: 1, nonce: extensionNonce });
  if (!isPairingHex(nonce)) throw new HubProblem(NOT_OUR_HUB);
  const handshake: Handshake = { wire: "panel", address: new URL(url).host, extensionNonce, hubNonce: nonce };
  if (!(await checkProof(key, "hub", handshake, proof))) throw new HubProblem(NOT_OUR_HUB);
  await post(`${url}/panel/prove`, { nonce, proof: await createProof(key, "extension", handshake) });
  return { url, authorization: `Panel ${await panelTicket(key, handshake)}` };
}

async function post(url: string, body: object): Promise<{ nonce?: unknown; proof?: unknown }> {
  const response = await fetch(url, {
    method: "POST",
    body: JSON.stringify(body),
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
  });
  if (!response.ok) throw new HubProblem(`${NOT_OUR_HUB} (status ${response.status})`);
  return (await response.json()) as object;
}
