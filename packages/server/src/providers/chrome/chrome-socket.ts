import { EXTENSION_MESSAGE_LIMITS } from "@debug-bridge/protocol";
import { WebSocket } from "ws";

/** A person may have to allow the connection first. */
const CONNECT_TIMEOUT_MS = 120_000;
const HEAD = /^\{"(?:id":(\d{1,15}),"(result|error)|method":"([A-Za-z]{1,60}\.[A-Za-z]{1,100})","params)":/;
const SESSION = /,"sessionId":"([\w-]{1,100})"\}$/;

/** The result, or the error with its code, as JSON. */
export type ChromeReply = (outcome: { readonly ok: boolean; readonly body: string }) => void;
type OnEvent = (sessionId: string | undefined, method: string, params: string) => void;

/** A message of Chrome, with its body as text. */
interface Read {
  readonly id: number | undefined;
  readonly ok: boolean;
  readonly method: string | undefined;
  readonly sessionId: string | undefined;
  readonly body: string;
}

/** A CDP connection to a browser. Bodies stay text: most are only forwarded. */
export class ChromeSocket {
  onEvent: OnEvent = () => {};
  onClose: (reason: string) => void = () => {};
  private nextId = 1;
  private readonly pending = new Map<number, ChromeReply>();

  private constructor(private readonly ws: WebSocket) {
    ws.on("message", (data) => {
      try {
        this.receive(String(data));
      } catch {
        // Not JSON, so not a browser.
        ws.terminate();
      }
    });
    ws.on("close", (_code, reason) => this.end(String(reason) || "the connection to the browser closed"));
    ws.on("error", () => ws.terminate());
  }

  static connect(url: string, signal: AbortSignal): Promise<ChromeSocket> {
    return new Promise((resolve, reject) => {
      const ws = new WebSocket(url, {
        perMessageDeflate: false,
        maxPayload: EXTENSION_MESSAGE_LIMITS.bytes,
        handshakeTimeout: CONNECT_TIMEOUT_MS,
      });
      const abort = (): void => ws.terminate();
      signal.addEventListener("abort", abort, { once: true });
      ws.once("error", reject);
      ws.once("open", () => {
        ws.off("error", reject);
        signal.removeEventListener("abort", abort);
        resolve(new ChromeSocket(ws));
      });
    });
  }

  /** Sends a command. Its reply is delivered in the turn in which it arrives, so that no event overtakes it. */
  send(method: string, params: object, reply: ChromeReply, sessionId?: string): void {
    const id = this.nextId++;
    this.pending.set(id, reply);
    this.ws.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
  }

  call<Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.send(
        method,
        params,
        ({ ok, body }) => {
          if (ok) resolve(JSON.parse(body) as Result);
          else reject(new Error(body));
        },
        sessionId,
      );
    });
  }

  close(): void {
    this.ws.terminate();
  }

  private receive(text: string): void {
    const { id, ok, method, sessionId, body } = read(text);
    if (method !== undefined) this.onEvent(sessionId, method, body);
    else if (id !== undefined) {
      const reply = this.pending.get(id);
      this.pending.delete(id);
      reply?.({ ok, body });
    }
  }

  private end(reason: string): void {
    const lost = [...this.pending.values()];
    this.pending.clear();
    const body = JSON.stringify({ code: -32_000, message: reason });
    for (const reply of lost) reply({ ok: false, body });
    this.onClose(reason);
  }
}

/** Chrome writes its fields in one order; a message in another order is parsed. */
function read(text: string): Read {
  const head = HEAD.exec(text);
  if (head) {
    const session = SESSION.exec(text);
    return {
      id: head[1] === undefined ? undefined : Number(head[1]),
      ok: head[2] === "result",
      method: head[3],
      sessionId: session?.[1],
      body: text.slice(head[0].length, session?.index ?? -1),
    };
  }
  const { id, method, params, result, error, sessionId } = JSON.parse(text) as Record<string, unknown>;
  return {
    id: id as number | undefined,
    ok: error === undefined,
    method: method as string | undefined,
    sessionId: sessionId as string | undefined,
    body: JSON.stringify(params ?? result ?? error ?? {}),
  };
}
