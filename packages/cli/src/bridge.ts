import { randomUUID } from "node:crypto";
import { Bridge, Executor } from "@debug-bridge/mcp";
import { BridgeError, type BrowserResponse } from "@debug-bridge/protocol";
import { findChrome, noChrome } from "@debug-bridge/runner";
import { readCdpUrl } from "@debug-bridge/server";
import { HubClient } from "@debug-bridge/server/client";

export interface BridgeAddress {
  readonly url: string;
  readonly token: string | undefined;
  readonly home: string;
  /** Shown to people, and in the audit log. */
  readonly name: string;
  /** Whether `execute` may launch a temporary Chrome when no extension is connected. */
  readonly temporary?: boolean | undefined;
}

const HEADLESS = ["--headless=new", "--no-first-run", "--disable-sync", "--disable-background-networking"];

/** What the tools work with, on a hub. */
export function bridgeTo({ url, token, home, name, temporary }: BridgeAddress): Bridge {
  const sessionId = `${name}-${randomUUID().slice(0, 8)}`;
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let hasBrowser = false;
  return new Bridge({
    hub: new HubClient({ hub: url, token, name }),
    executor: new Executor({
      relayUrl: () => readCdpUrl(home),
      ...(temporary ? { temporary: temporaryChrome() } : {}),
    }),
    browserAction: async (instruction) => {
      hasBrowser = true;
      const body = JSON.stringify({ instruction, sessionId });
      const answer = await fetch(`${url}/v1/browser-action`, { method: "POST", headers, body });
      if (!answer.ok) {
        const { error } = (await answer.json()) as { error?: { code: string; message: string } };
        throw BridgeError.fromBody(error ?? { message: `the hub answered ${answer.status}` });
      }
      return (await answer.json()) as BrowserResponse;
    },
    closeBrowser: async () => {
      if (hasBrowser)
        await fetch(`${url}/v1/browser-action?sessionId=${sessionId}`, { method: "DELETE", headers });
    },
  });
}

function temporaryChrome(): { executablePath: string; args: string[] } {
  const executablePath = findChrome();
  if (executablePath === undefined) throw noChrome();
  // Chrome refuses to run as root with its sandbox.
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return { executablePath, args: [...HEADLESS, ...root] };
}
