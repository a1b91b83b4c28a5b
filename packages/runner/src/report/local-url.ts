import { isLoopbackName } from "@debug-bridge/protocol";

/** Whether a URL is on this machine. */
export function isLocalUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (protocol === "http:" || protocol === "https:") && isLoopbackName(hostname);
}
