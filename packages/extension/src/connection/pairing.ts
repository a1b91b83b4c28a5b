import {
  type CodeKeys,
  type CodeSecrets,
  type CodeTranscript,
  codeSecrets,
  commitCode,
  createCodeKeys,
  createConfirmation,
  createPairingHex,
  isCodePublicKey,
  isPairingHex,
  openPairingKey,
  pairingCode,
} from "@debug-bridge/protocol";
import type { SocketLike } from "./wire.js";

/** How pairing by a code is going, for the popup. */
export type PairingState =
  | { readonly status: "idle" }
  | { readonly status: "connecting" }
  /** The person compares this code with the one in the terminal. */
  | { readonly status: "compare"; readonly code: string }
  /** The person confirmed it here; the terminal's answer is still missing. */
  | { readonly status: "confirmed"; readonly code: string }
  | { readonly status: "paired" }
  | { readonly status: "failed"; readonly reason: string };

export interface PairingOptions {
  readonly openSocket: (url: string) => SocketLike;
  /** The relay's address. */
  readonly url: () => string;
  readonly store: (pairingKey: string) => Promise<void>;
  readonly onChange: () => void;
  /** Called from time to time, so that Chrome does not stop the worker meanwhile. */
  readonly keepAwake: () => void;
}

interface Exchange {
  readonly socket: SocketLike;
  readonly keys: CodeKeys;
  readonly extensionNonce: string;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly awake: ReturnType<typeof setInterval>;
  step: "commit" | "reveal" | "key" | "busy";
  hub?: { readonly publicKey: string; readonly commitment: string };
  secrets?: CodeSecrets;
}

type Params = Readonly<Record<string, unknown>>;

const PAIRING_TIMEOUT_MS = 120_000;
const KEEP_AWAKE_INTERVAL_MS = 15_000;
const MAX_CHARACTERS = 1_024;
const NO_TERMINAL =
  "No terminal is waiting. Run “debug-bridge extension --pair” on this computer, then choose “Pair” again.";
const WRONG = "The program at the other end did not follow the rules of pairing, so nothing was paired.";

/** Pairs this extension with the person's hub by a code. Nothing is sent before the person asks for it. */
export class CodePairing {
  private current: PairingState = { status: "idle" };
  private exchange: Exchange | undefined;

  constructor(private readonly options: PairingOptions) {}

  get state(): PairingState {
    return this.current;
  }

  /** The person asked to pair. */
  async start(): Promise<void> {
    if (this.exchange) return;
    this.change({ status: "connecting" });
    const keys = await createCodeKeys();
    if (this.exchange) return;
    const socket = this.options.openSocket(`${this.options.url()}/pair`);
    const exchange: Exchange = {
      ...{ socket, keys, extensionNonce: createPairingHex(), step: "commit" },
      timer: setTimeout(() => this.fail(exchange, "Nobody confirmed the code in time."), PAIRING_TIMEOUT_MS),
      awake: setInterval(this.options.keepAwake, KEEP_AWAKE_INTERVAL_MS),
    };
    this.exchange = exchange;
    socket.onopen = () => send(socket, "codeHello", { version: 1, publicKey: keys.publicKey });
    socket.onmessage = ({ data }) => {
      this.receive(exchange, data).catch(() => this.fail(exchange, WRONG));
    };
    socket.onclose = ({ reason }) => this.fail(exchange, reason || NO_TERMINAL);
  }

  /** The person saw the same code in the terminal. */
  async confirm(): Promise<void> {
    const { exchange, current } = this;
    if (!exchange?.secrets || current.status !== "compare") return;
    this.change({ status: "confirmed", code: current.code });
    const confirmation = await createConfirmation(exchange.secrets);
    if (this.exchange === exchange) send(exchange.socket, "codeConfirm", { confirmation });
  }

  /** The person saw another code, or does not want to pair. */
  cancel(): void {
    if (this.exchange) this.end(this.exchange);
    this.change({ status: "idle" });
  }

  private async receive(exchange: Exchange, data: unknown): Promise<void> {
    if (this.exchange !== exchange) return;
    const { method, params } = readMessage(data);
    const { step } = exchange;
    exchange.step = "busy";
    if (step === "commit" && method === "codeCommit") this.onCommit(exchange, params);
    else if (step === "reveal" && method === "codeReveal") await this.onReveal(exchange, params);
    else if (step === "key" && method === "codeKey") await this.onKey(exchange, params);
    else this.fail(exchange, WRONG);
  }

  private onCommit(exchange: Exchange, { publicKey, commitment }: Params): void {
    if (!isCodePublicKey(publicKey) || !isPairingHex(commitment)) throw new Error(WRONG);
    exchange.hub = { publicKey, commitment };
    exchange.step = "reveal";
    send(exchange.socket, "codeNonce", { nonce: exchange.extensionNonce });
  }

  private async onReveal(exchange: Exchange, { nonce }: Params): Promise<void> {
    const { hub, keys, extensionNonce } = exchange;
    if (!hub || !isPairingHex(nonce)) throw new Error(WRONG);
    const transcript: CodeTranscript = {
      extensionKey: keys.publicKey,
      hubKey: hub.publicKey,
      extensionNonce,
      hubNonce: nonce,
    };
    if ((await commitCode(transcript)) !== hub.commitment) throw new Error(WRONG);
    const [secrets, code] = await Promise.all([
      codeSecrets(keys, hub.publicKey, transcript),
      pairingCode(transcript),
    ]);
    if (this.exchange !== exchange) return;
    exchange.secrets = secrets;
    exchange.step = "key";
    this.change({ status: "compare", code });
  }

  /** The key counts only when the person confirmed the code here. */
  private async onKey(exchange: Exchange, { iv, sealed }: Params): Promise<void> {
    if (this.current.status !== "confirmed" || !exchange.secrets) throw new Error(WRONG);
    const pairingKey = await openPairingKey(exchange.secrets, { iv: String(iv), sealed: String(sealed) });
    if (this.exchange !== exchange) return;
    if (!isPairingHex(pairingKey)) throw new Error(WRONG);
    this.end(exchange);
    await this.options.store(pairingKey);
    this.change({ status: "paired" });
  }

  private fail(exchange: Exchange, reason: string): void {
    if (this.exchange !== exchange) return;
    this.end(exchange);
    this.change({ status: "failed", reason });
  }

  private end({ socket, timer, awake }: Exchange): void {
    this.exchange = undefined;
    clearTimeout(timer);
    clearInterval(awake);
    socket.close();
  }

  private change(state: PairingState): void {
    this.current = state;
    this.options.onChange();
  }
}

function send(socket: SocketLike, method: string, params: object): void {
  socket.send(JSON.stringify({ method, params }));
}

function readMessage(data: unknown): { method: unknown; params: Params } {
  if (typeof data !== "string" || data.length > MAX_CHARACTERS) return { method: undefined, params: {} };
  const { method, params } = Object(JSON.parse(data)) as { method?: unknown; params?: unknown };
  return { method, params: Object(params ?? {}) as Params };
}
