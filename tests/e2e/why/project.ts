import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debugBridge } from "@debug-bridge/browser/vite";
import { createServer } from "vite";
import { onTestFinished } from "vitest";
import type { TestHub } from "../../support/hub/hub.js";
import { projectFolder } from "../../support/hub/project.js";
import { type Bug, projectOf, type Save } from "./bugs.js";

interface Project {
  readonly url: string;
  save(save: Save): void;
}

/** Serves the app of a bug by a real development server with the plugin, which reports edits to the session of its pages. */
export async function serveProject(bug: Bug, hub: TestHub, sessionId: string): Promise<Project> {
  const before = process.env.DEBUG_BRIDGE_HOME;
  process.env.DEBUG_BRIDGE_HOME = hub.home;
  onTestFinished(() => {
    if (before === undefined) delete process.env.DEBUG_BRIDGE_HOME;
    else process.env.DEBUG_BRIDGE_HOME = before;
  });
  const root = projectFolder(projectOf(bug));
  const server = await createServer({
    ...{ root, configFile: false, logLevel: "silent", cacheDir: join(root, ".vite") },
    plugins: [debugBridge({ sessionId, development: true })],
    server: { port: 0, host: "127.0.0.1" },
  });
  await server.listen();
  onTestFinished(() => server.close());
  return {
    url: server.resolvedUrls?.local[0] as string,
    save({ save, from, to }) {
      const text = readFileSync(join(root, save), "utf8");
      if (!text.includes(from)) throw new Error(`${save} does not contain ${from}`);
      writeFileSync(join(root, save), text.replace(from, to));
    },
  };
}
