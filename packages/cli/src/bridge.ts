import { randomUUID } from "node:crypto";
import { announcedHubs, type HubClient } from "@debug-bridge/client";
import { Bridge, Executor } from "@debug-bridge/mcp";
import type { BrowserResponse } from "@debug-bridge/protocol";
import { findChrome, noChrome } from "@debug-bridge/runner";

export interface BridgeOptions {
  readonly hub: HubClient;
  readonly home: string;
  /** Shown to people, and written to the audit log. */
  readonly name: string;
  /** Whether `execute` may launch a temporary Chrome when no extension is connected. */
  readonly temporary?: boolean | undefined;
  /** Whether `execute` may work in the person's tabs; true unless it is false. */
  readonly tabs?: boolean | undefined;
}

const HEADLESS = ["--headless=new", "--no-first-run", "--disable-sync", "--disable-background-networking"];

/** The bridge of the tools to the hub that a client finds. */
export function createBridge({ hub, home, name, temporary, tabs = true }: BridgeOptions): Bridge {
  const sessionId = `${name}-${randomUUID().slice(0, 8)}`;
  let hasBrowser = false;
  return new Bridge({
    hub,
    executor: new Executor({
      relayUrl: async () => (tabs ? relayUrl(hub, home) : undefined),
      ...(temporary ? { temporary: temporaryChrome() } : {}),
    }),
    browserAction: async (instruction) => {
      hasBrowser = true;
      return (await hub.post("/v1/browser-action", { instruction, sessionId })) as BrowserResponse;
    },
    closeBrowser: async () => {
      if (hasBrowser) await hub.delete(`/v1/browser-action?sessionId=${sessionId}`);
    },
  });
}

/** The address for CDP clients contains the token: only that of a hub that proved itself is used. */
async function relayUrl(hub: HubClient, home: string): Promise<string | undefined> {
  const found = await hub.connect().catch(() => undefined);
  if (found?.token === undefined) return undefined;
  return found.cdpUrl ?? announcedHubs(home).find(({ url }) => url === found.url)?.cdpUrl;
}

function temporaryChrome(): { executablePath: string; args: string[] } {
  const executablePath = findChrome();
  if (executablePath === undefined) throw noChrome();
  // Chrome refuses to run as root with its sandbox.
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return { executablePath, args: [...HEADLESS, ...root] };
}
