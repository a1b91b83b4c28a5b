/**
 * A CDP session on one page: over a socket, a pipe or `chrome.debugger`, no matter who made it. Puppeteer's `CDPSession`
 * fits by `fromPuppeteer`.
 */
export interface CdpSession {
  send<Result = unknown>(method: string, params?: object): Promise<Result>;
  /** Events of this session; returns how to stop listening. */
  on(method: string, listener: (params: never) => void): () => void;
  /** Called once, when the page or the connection is gone. */
  onClose(listener: (reason: string) => void): void;
  /** The session that `Target.attachedToTarget` of this session reported, such as that of a frame of another site. */
  child(sessionId: string): CdpSession;
}

/** What is used of Puppeteer's session, so that this package need not depend on it. */
interface EmitterSession {
  // biome-ignore-start lint/suspicious/noExplicitAny: Puppeteer's types know each method; ours are whatever is sent.
  send(method: any, params?: any): Promise<any>;
  on(event: any, listener: any): unknown;
  off(event: any, listener: any): unknown;
  connection(): { session(sessionId: string): any } | undefined;
  // biome-ignore-end lint/suspicious/noExplicitAny: see above
}

/**
 * Puppeteer's session as a `CdpSession`.
 *
 * @example drivePage(fromPuppeteer(await page.createCDPSession(), (gone) => page.once("close", gone)))
 */
export function fromPuppeteer(session: EmitterSession, whenClosed: (gone: () => void) => void): CdpSession {
  return {
    send: (method, params) => session.send(method, params),
    on(method, listener) {
      session.on(method, listener);
      return () => void session.off(method, listener);
    },
    onClose: (listener) => whenClosed(() => listener("the page was closed")),
    child(sessionId) {
      const child = session.connection()?.session(sessionId) as EmitterSession | null | undefined;
      if (!child) throw new Error(`the session ${sessionId} is gone`);
      return fromPuppeteer(child, whenClosed);
    },
  };
}
