import type { Duplex } from "node:stream";
import {
  BridgeError,
  checkConfirmation,
  codeSecrets,
  commitCode,
  createCodeKeys,
  createPairingHex,
  pairingCode,
  sealPairingKey,
} from "@debug-bridge/protocol";
import { codeConfirmSchema, codeHelloSchema, codeNonceSchema } from "@debug-bridge/protocol/schemas";
import type { WebSocket } from "ws";
import { steadyNow } from "../../bounds/steady-clock.js";
import { boundUnproven, nextMessage, readMessage, refuse } from "./unproven.js";

/** What the terminal shows. */
export type WindowState =
  | { readonly state: "waiting"; readonly problem?: string }
  | { readonly state: "compare"; readonly code: string }
  | { readonly state: "paired" }
  | { readonly state: "failed"; readonly reason: string };

interface Exchange {
  readonly ws: WebSocket;
  readonly answer: (isSame: boolean) => void;
  /** The code that is shown, as soon as there is one. */
  code: string | undefined;
}

interface Window {
  readonly report: (state: WindowState) => void;
  readonly until: number;
  readonly timer: NodeJS.Timeout;
  attempts: number;
  /** The exchange that runs, and how the person's answer in the terminal reaches it. */
  exchange: Exchange | undefined;
}

const WINDOW_MS = 120_000;
const MAX_ATTEMPTS = 3;

/**
 * Pairing by a code. It is possible only while `debug-bridge extension --pair` runs, for two minutes, with three attempts
 * and one at a time. The pairing key leaves the hub when the person has confirmed the code in the terminal and in the
 * popup, encrypted for the one who showed it.
 */
export class CodeWindow {
  private window: Window | undefined;

  constructor(private readonly key: () => string) {}

  /** Opens the window; returns how to close it. */
  start(report: (state: WindowState) => void): () => void {
    if (this.window)
      throw new BridgeError(
        "conflict",
        "another terminal is pairing an extension with this hub; end it first",
      );
    const timer = setTimeout(
      () => this.end({ state: "failed", reason: "nobody paired within 2 minutes" }),
      WINDOW_MS,
    );
    timer.unref();
    const window: Window = {
      report,
      until: steadyNow() + WINDOW_MS,
      timer,
      attempts: 0,
      exchange: undefined,
    };
    this.window = window;
    report({ state: "waiting" });
    return () => {
      if (this.window === window) this.end();
    };
  }

  /** The person compared this code in the terminal. An answer about an earlier code does not count for the next. */
  answer(code: string, isSame: boolean): void {
    const exchange = this.window?.exchange;
    if (exchange?.code === undefined || exchange.code !== code)
      throw new BridgeError("conflict", "this code is not shown now; wait until the popup shows one");
    exchange.answer(isSame);
  }

  /** Throws unless somebody waits for an extension, and none is being paired. */
  check(): void {
    if (!this.window)
      throw new BridgeError(
        "auth_required",
        "no terminal is waiting to pair; run debug-bridge extension --pair first",
      );
    if (this.window.exchange) throw new BridgeError("conflict", "another program is being paired now");
  }

  async accept(ws: WebSocket, socket: Duplex): Promise<void> {
    const { window } = this;
    if (!window || window.exchange) return refuse(ws, new BridgeError("conflict", "pairing has ended"));
    window.attempts++;
    let answer = (_isSame: boolean): void => {};
    const isSame = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    const exchange: Exchange = { ws, answer, code: undefined };
    window.exchange = exchange;
    const release = boundUnproven(ws, socket, window.until - steadyNow());
    try {
      await this.exchange(ws, isSame, (code) => {
        exchange.code = code;
        window.report({ state: "compare", code });
      });
      release();
      ws.close(1000, "paired");
      if (this.window === window) this.end({ state: "paired" });
    } catch (thrown) {
      const error = BridgeError.from(thrown);
      const problem = ws.readyState === ws.OPEN ? error.message : "the popup ended it";
      refuse(ws, error);
      window.exchange = undefined;
      if (this.window === window) this.failed(window, problem);
    }
  }

  close(): void {
    this.end();
  }

  private async exchange(
    ws: WebSocket,
    isSame: Promise<boolean>,
    show: (code: string) => void,
  ): Promise<void> {
    // Each listener is there before anything is awaited, so that no message is missed.
    const [first, keys] = await Promise.all([nextMessage(ws), createCodeKeys()]);
    const extensionKey = readMessage(codeHelloSchema, first).params.publicKey;
    const half = { hubKey: keys.publicKey, extensionKey, hubNonce: createPairingHex() };
    const commitment = await commitCode(half);
    const second = nextMessage(ws);
    send(ws, "codeCommit", { publicKey: keys.publicKey, commitment });
    const extensionNonce = readMessage(codeNonceSchema, await second).params.nonce;
    const transcript = { ...half, extensionNonce };
    const [secrets, code] = await Promise.all([
      codeSecrets(keys, extensionKey, transcript),
      pairingCode(transcript),
    ]);
    const third = nextMessage(ws);
    send(ws, "codeReveal", { nonce: half.hubNonce });
    show(code);
    const inTerminal = isSame.then((same) => {
      if (!same) throw different();
    });
    const [text] = await Promise.all([third, inTerminal]);
    const { confirmation } = readMessage(codeConfirmSchema, text).params;
    if (!(await checkConfirmation(secrets, confirmation))) throw different();
    send(ws, "codeKey", await sealPairingKey(secrets, this.key()));
  }

  private failed(window: Window, problem: string): void {
    if (window.attempts < MAX_ATTEMPTS) window.report({ state: "waiting", problem });
    else this.end({ state: "failed", reason: `${MAX_ATTEMPTS} attempts failed; the last one: ${problem}` });
  }

  private end(state?: WindowState): void {
    const { window } = this;
    if (!window) return;
    this.window = undefined;
    clearTimeout(window.timer);
    if (state) window.report(state);
    if (state?.state !== "paired" && window.exchange)
      refuse(window.exchange.ws, new BridgeError("cancelled", "pairing was ended in the terminal"));
  }
}

function send(ws: WebSocket, method: string, params: object): void {
  ws.send(JSON.stringify({ method, params }));
}

function different(): BridgeError {
  return new BridgeError("auth_required", "the codes were not the same, so nothing was paired");
}
