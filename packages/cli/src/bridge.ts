import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { announcedHubs, type HubClient } from "@debug-bridge/client";
import { Bridge, Executor, type ExecutorOptions, type SiteAnswer } from "@debug-bridge/mcp";
import { BridgeError, type BrowserResponse } from "@debug-bridge/protocol";
import { reproduceForTool } from "./recording/reproduce-for-tool.js";
import { sourceLocator } from "./source-locator.js";

export interface BridgeOptions {
  readonly hub: HubClient;
  readonly home: string;
  /** Shown to people, and written to the audit log. */
  readonly name: string;
  /** The session that tools use when they name none. */
  readonly session?: string | undefined;
  /** The run of a chat for which the tools work. */
  readonly chatRun?: string | undefined;
  /** Why `execute` is not offered; left out when it is. */
  readonly executeOff?: string | undefined;
  /** The temporary Chrome that `execute` may launch when no extension is connected. */
  readonly temporary?: ExecutorOptions["temporary"] | undefined;
  /** The folder that reproductions are written below; one in the folder of this process by default. */
  readonly reproductions?: string | undefined;
  /** Whether `execute` may work in the person's tabs; true unless it is false. */
  readonly tabs?: boolean | undefined;
}

/** Why `execute`, which runs code on this machine, is not offered. */
export const EXECUTE_OFF = {
  overHttp:
    "The tool execute is off over HTTP: the person who starts the hub can allow it with --allow-execute, and over stdio (debug-bridge mcp) it is on",
  readOnly:
    "execute is off: the hub was started with --read-only, and execute acts. Use observe, logs and screenshot, or ask the person who started the hub to start it without --read-only",
} as const;

const REPRODUCE_OFF =
  "reproduce is off: the hub was started with --read-only, and a reproduction acts. Ask the person who started the hub to run: debug-bridge record reproduce";

/** The bridge of the tools to the hub that a client finds. */
export function createBridge(options: BridgeOptions): Bridge {
  const { hub, home, name, session, chatRun, temporary, executeOff, tabs = true } = options;
  const { reproductions = resolve("reproductions") } = options;
  const sessionId = `${name}-${randomUUID().slice(0, 8)}`;
  let hasBrowser = false;
  return new Bridge({
    hub,
    executor: new Executor({
      refusal: () => readOnlyRefusal(hub),
      relayUrl: async () => (tabs ? relayUrl(hub, home, chatRun) : undefined),
      ...(temporary ? { temporary } : {}),
    }),
    executeOff,
    defaultSession: session,
    untilAnswered: () => untilAnswered(hub, chatRun),
    locate: sourceLocator(),
    reproduce: reproduceForTool({ home, folder: reproductions, admit: () => mayReproduce(hub, chatRun) }),
    browserAction: async (instruction) => {
      hasBrowser = true;
      return (await hub.post("/v1/browser-action", { instruction, sessionId })) as BrowserResponse;
    },
    closeBrowser: async () => {
      if (hasBrowser) await hub.delete(`/v1/browser-action?sessionId=${sessionId}`);
    },
  });
}

/** Tools of a chat wait for the person after they were refused: not in the middle of their work, which has a deadline. */
async function untilAnswered(hub: HubClient, chatRun: string | undefined): Promise<readonly SiteAnswer[]> {
  if (chatRun === undefined) return [];
  try {
    const answer = (await hub.get(`/v1/runs/${chatRun}/approvals`)) as { approvals: readonly SiteAnswer[] };
    return answer.approvals;
  } catch (thrown) {
    // The run has ended: nobody is asked.
    if (BridgeError.from(thrown).code === "session_not_found") return [];
    throw thrown;
  }
}

/** A read-only hub never runs code. Which hub it is may change from call to call. */
async function readOnlyRefusal(
  hub: HubClient,
  why: string = EXECUTE_OFF.readOnly,
): Promise<BridgeError | undefined> {
  const about = (await hub.get("/healthz").catch(() => undefined)) as { readOnly?: unknown } | undefined;
  return about?.readOnly === true ? new BridgeError("read_only", why) : undefined;
}

/** A reproduction acts in a separate Chrome, where nobody is asked. */
async function mayReproduce(hub: HubClient, chatRun: string | undefined): Promise<void> {
  if (chatRun !== undefined)
    throw new BridgeError(
      "not_supported",
      "the agent of a chat does not reproduce recordings: it acts only where the person was asked. Ask them to run: debug-bridge record reproduce",
    );
  const refusal = await readOnlyRefusal(hub, REPRODUCE_OFF);
  if (refusal) throw refusal;
}

/** The address for CDP clients contains the token: only that of a hub that proved itself is used. */
async function relayUrl(hub: HubClient, home: string, chatRun?: string): Promise<string | undefined> {
  const found = await hub.connect().catch(() => undefined);
  if (found?.token === undefined) return undefined;
  const url = found.cdpUrl ?? announcedHubs(home).find((each) => each.url === found.url)?.cdpUrl;
  return url === undefined || chatRun === undefined ? url : `${url}&run=${chatRun}`;
}
