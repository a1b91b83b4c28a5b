/// <reference types="chrome" />
import type { ConnectionMemory } from "../connection/manager.js";

const KEY = "connections";

/** What an earlier worker of this browser session stored about its connections. */
export async function loadConnections(): Promise<ConnectionMemory> {
  const { [KEY]: stored } = await chrome.storage.session.get(KEY);
  return (stored as ConnectionMemory | undefined) ?? { wires: {}, ends: [] };
}

export function saveConnections(memory: ConnectionMemory): void {
  void chrome.storage.session.set({ [KEY]: memory });
}
