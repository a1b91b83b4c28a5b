import { backoffDelay } from "@debug-bridge/protocol";
import { DevServer } from "../dev-server.js";
import type { PluginOptions } from "../options.js";
import { followFiles } from "../page/project-files.js";
import { HMR_PATHS, readHmr } from "./hmr-messages.js";
import { NextEdits } from "./next-edits.js";

const RETRY = { firstMs: 1_000, maxMs: 1_000 };
/** The address of the server, in its own process and in those that it starts. */
const ORIGIN = "__NEXT_PRIVATE_ORIGIN";
/** The process that follows edits. Processes that the server starts have it in their environment too. */
const FOLLOWER = "DEBUG_BRIDGE_NEXT_PID";

interface Process {
  readonly pid: number;
  readonly env: Record<string, string | undefined>;
}

interface Socket {
  on(event: string, listener: (...args: never[]) => void): void;
}

/** Whether this is the server, and it does not follow edits yet. The configuration is loaded by several processes, and more than once. */
export function claimServer({ pid, env }: Process): string | undefined {
  const origin = env[ORIGIN];
  if (!origin || env[FOLLOWER]) return undefined;
  env[FOLLOWER] = String(pid);
  return origin;
}

/** Reports the effect of edits in a development server of Next.js, which sends this what it sends to pages. */
export async function followNext(
  options: PluginOptions,
  { root, origin, basePath, distDir }: { root: string; origin: string; basePath: string; distDir: string },
): Promise<void> {
  const server = new DevServer(options, "next");
  server.start(root);
  void server.banner().then((line) => console.info(`- Debug Bridge:  ${line}`));
  const edits = new NextEdits(server);
  const output = `${distDir}/`;
  await followFiles(
    root,
    (path) => `${path}/`.startsWith(output),
    (file) => edits.onFile(file),
  );
  const { WebSocket } = (await import("ws" as string)) as { WebSocket: new (url: string) => Socket };
  const open = (attempt: number): void => {
    const path = HMR_PATHS[attempt % HMR_PATHS.length];
    const socket = new WebSocket(`${origin.replace(/^http/, "ws")}${basePath}${path}`);
    let isConnected = false;
    socket.on("message", (data: { toString(): string }, isBinary: boolean) => {
      isConnected = true;
      const event = isBinary ? undefined : readHmr(data.toString());
      if (event) edits.onMessage(event);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      const again = setTimeout(() => open(isConnected ? attempt : attempt + 1), backoffDelay(0, RETRY)) as {
        unref?(): void;
      };
      again.unref?.();
    });
  };
  open(0);
}
