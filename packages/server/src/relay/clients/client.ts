import { ClientSession } from "./client-session.js";

/** A CDP client: a program on a socket, or a part of the hub. */
export class Client {
  readonly sessions = new Map<string, ClientSession>();
  /** The connection's own session. */
  readonly root: ClientSession;
  /** A part of the hub. */
  isInside = false;
  /** The run of a chat for which it works. */
  runId: string | undefined;
  /** It follows other clients, and does not keep the debugger in a tab. */
  follows = false;
  /** The name as JSON, for the commands to the extension. */
  readonly quotedName: string;
  private nextSession = 1;

  constructor(
    readonly id: string,
    /** The name that the person sees: `Playwright 1.65.0`. */
    readonly name: string,
    /** Sends a text; `isReply` when the client waits for it. */
    readonly send: (text: string, isReply?: boolean) => void,
  ) {
    this.quotedName = JSON.stringify(name);
    this.root = new ClientSession("browser", "", this, undefined, undefined, undefined);
    this.sessions.set("", this.root);
  }

  newSessionId(): string {
    return `${this.id}.${this.nextSession++}`;
  }
}
