import { rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "@debug-bridge/journal";
import { errorFromBody, type SimpleBreakpoint } from "@debug-bridge/protocol";
import { steadyNow } from "../../bounds/steady-clock.js";
import type { Sessions } from "../../sessions/registry.js";
import type { ChatFolder } from "../store/chat-folder.js";

const POLL_INTERVAL_MS = 50;
/** The hub follows the files of an agent a moment after the agent has named its session. */
const FOLLOW_TIMEOUT_MS = 5_000;

/** Those of the chat, so that breakpoints of other clients of the agent stay. */
const dataOf = (breakpoints: readonly SimpleBreakpoint[]): object => ({
  ...{ action: "replace", group: "chat", breakpoints },
});

/** Brings the breakpoints of a chat to its agents. */
export class RunBreakpoints {
  constructor(private readonly sessions: Pick<Sessions, "get">) {}

  /** Writes down what the agent of the next run executes first; undefined when nobody ever set a breakpoint in this chat. */
  prepare(folder: ChatFolder, runId: string, breakpoints?: readonly SimpleBreakpoint[]): string | undefined {
    if (breakpoints === undefined) return undefined;
    const file = fileOf(folder);
    const command = { type: "breakpoint", id: `chat-${runId}`, data: dataOf(breakpoints) };
    replaceFile(file, `${JSON.stringify(command)}\n`);
    return file;
  }

  /** The run has ended: an agent that is not debugged has left the file. */
  discard(folder: ChatFolder): void {
    rmSync(fileOf(folder), { force: true });
  }

  /** Changes them in an agent that runs. Throws when that is refused. */
  async send(sessionId: string, breakpoints: readonly SimpleBreakpoint[], client: string): Promise<void> {
    const session = await this.followed(sessionId);
    const result = await session?.control({ type: "breakpoint", data: dataOf(breakpoints) }, client);
    // An agent that has ended stops nowhere.
    if (result?.success === false && result.error !== "app_not_connected")
      throw errorFromBody({ code: result.error, message: result.message });
  }

  private async followed(sessionId: string): Promise<ReturnType<Sessions["get"]>> {
    for (const end = steadyNow() + FOLLOW_TIMEOUT_MS; steadyNow() < end; ) {
      const session = this.sessions.get(sessionId);
      if (session?.isFollowed) return session;
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
    return undefined;
  }
}

const fileOf = (folder: ChatFolder): string => join(folder.path, "breakpoints.jsonl");
