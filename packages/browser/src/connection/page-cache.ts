import type { Connection } from "./connection.js";

/**
 * Follows a page into the browser's back/forward cache and out of it. `freeze` comes after `pagehide`, so an action that
 * leaves the page has sent its receipt by then.
 */
export function followPageCache(
  window: Window,
  connection: Pick<Connection, "suspend" | "unsuspend">,
): () => void {
  const { document } = window;
  let isCached = false;
  const onHide = ({ persisted }: PageTransitionEvent): void => {
    isCached = persisted;
  };
  const onFreeze = (): void => {
    if (isCached) connection.suspend();
  };
  const onShow = (): void => {
    isCached = false;
    connection.unsuspend();
  };
  const listeners = [
    [window, "pagehide", onHide],
    [window, "pageshow", onShow],
    [document, "freeze", onFreeze],
  ] as [EventTarget, string, EventListener][];
  for (const [target, type, listener] of listeners) target.addEventListener(type, listener);
  return () => {
    for (const [target, type, listener] of listeners) target.removeEventListener(type, listener);
  };
}
