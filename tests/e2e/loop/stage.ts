import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debugBridge } from "@debug-bridge/browser/vite";
import react from "@vitejs/plugin-react";
import type { Browser, Page } from "playwright-core";
import { createServer, type PluginOption } from "vite";
import { onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import { projectFolder } from "../../support/hub/project.js";
import { setHome } from "../../support/hub/set-home.js";
import { stage as hubStage } from "../hub/stage.js";
import { type McpUser, mcpClient } from "../mcp/client.js";

export interface Loop {
  readonly root: string;
  readonly page: Page;
  readonly mcp: McpUser;
  readonly hub: string;
  readonly token: string;
  readonly home: string;
  /** Replaces a part of a file, as an editor does. */
  save(file: string, before: string, after: string): void;
  /** What an agent gets for its save, in one call. */
  receipt(edit?: string | true, fields?: object): Promise<string>;
}

interface LoopOptions {
  readonly session?: string;
  readonly plugins?: PluginOption[];
}

/** A hub, a development server with the plugin that finds the hub by itself, a page of it, and an agent. */
export async function startLoop(
  browser: Browser,
  files: Readonly<Record<string, string>>,
  { session = "app", plugins = [react()] }: LoopOptions = {},
): Promise<Loop> {
  const { ready, home, token, open } = await hubStage(browser);
  setHome(home);
  const root = projectFolder(files);
  const server = await createServer({
    ...{ root, configFile: false, logLevel: "silent", cacheDir: join(root, ".vite") },
    plugins: [...plugins, debugBridge({ sessionId: session, development: true })],
    server: { port: 0, host: "127.0.0.1" },
  });
  await server.listen();
  onTestFinished(() => server.close());
  const { page } = await open(server.resolvedUrls?.local[0] as string);
  const mcp = await mcpClient(["--home", home]);
  await until(async () => !(await mcp.call("observe", { session })).isError);
  return {
    ...{ root, page, mcp, token, home, hub: ready.hub },
    save(file, from, to) {
      const path = join(root, file);
      const text = readFileSync(path, "utf8");
      if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
      writeFileSync(path, text.replace(from, to));
    },
    receipt: async (edit = true, fields = {}) =>
      (await mcp.call("act", { session, type: "wait_for", edit, ...fields })).text,
  };
}
