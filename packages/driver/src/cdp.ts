/**
 * A CDP session on one page: over a socket, a pipe or `chrome.debugger`, whoever made it. Puppeteer's `CDPSession`
 * fits with `fromPuppeteer`.
 */
export interface CdpSession {
  send<Result = unknown>(method: string, params?: object): Promise<Result>;
  /** Events of this session; returns how to stop listening. */
  on(method: string, listener: (params: never) => void): () => void;
  /** Called once, when the page or the connection is gone. */
  onClose(listener: (reason: string) => void): void;
}

/** What is used of Puppeteer's session, so that this package need not depend on it. */
interface EmitterSession {
  send(method: never, params?: never): Promise<unknown>;
  on(event: never, listener: (params: never) => void): unknown;
  off(event: never, listener: (params: never) => void): unknown;
}

/**
 * A session of Puppeteer as one of ours.
 *
 * @example drivePage(fromPuppeteer(await page.createCDPSession(), CDPSessionEvent.Disconnected))
 */
export function fromPuppeteer(session: EmitterSession, disconnected: symbol): CdpSession {
  return {
    send: (method, params) => session.send(method as never, params as never) as Promise<never>,
    on(method, listener) {
      session.on(method as never, listener);
      return () => void session.off(method as never, listener);
    },
    onClose: (listener) => void session.on(disconnected as never, () => listener("the page was closed")),
  };
}
