import { type AppMessage, isLoopbackName } from "@debug-bridge/protocol";

/**
 * Whether a message of a driven page is about the socket that the SDK in that page has to this hub. What it carries is in the
 * timeline of the app, and each record of it there would bring another one here.
 */
export function isOwnSocket(message: AppMessage, hubUrl: string | undefined): boolean {
  if (message.type !== "network" || message.api !== "websocket" || hubUrl === undefined) return false;
  if (!URL.canParse(message.url)) return false;
  const hub = new URL(hubUrl);
  const { hostname, port, pathname } = new URL(message.url);
  return (
    pathname === "/debug" && port === hub.port && (hostname === hub.hostname || isLoopbackName(hostname))
  );
}
