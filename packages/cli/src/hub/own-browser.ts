import type { BrowserResponse } from "@debug-bridge/protocol";
import type { RunnerOptions } from "@debug-bridge/runner";
import { homeFolder, startHub } from "@debug-bridge/server";

/** A browser for one command, with its own hub that ends with it. */
export interface OwnBrowser {
  handle(instruction: string): Promise<BrowserResponse>;
  close(): Promise<void>;
}

/** Starts a private hub, on free ports, for a browser that nobody else uses. */
export async function openOwnBrowser(options: Omit<RunnerOptions, "hub">): Promise<OwnBrowser> {
  const { BrowserSessions } = await import("@debug-bridge/runner");
  const home = homeFolder(options.home);
  const ports = { port: 0, consolePort: 0, relayPort: 0 };
  const hub = await startHub({ ...ports, home, driveTabs: false, announce: false });
  const browsers = new BrowserSessions();
  return {
    handle: (instruction) => browsers.handle(instruction, { ...options, home, hub }),
    async close() {
      await browsers.closeAll();
      await hub.close();
    },
  };
}
