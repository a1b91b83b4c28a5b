import { randomUUID } from "node:crypto";
import { appendCommand, BlobStore, followLines, isActive, readSession } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import type { AgentSession } from "./choose-session.js";

/** How often to check that the agent is alive while it does not answer. */
const CHECK_EVERY_MS = 500;
/** An agent behind hooks reads commands when its next hook runs, which can take long. */
const HOOK_TIMEOUT_MS = 300;

export interface CommandAnswer {
  readonly commandId: string;
  readonly type: string;
  readonly success: boolean;
  readonly error?: string;
  readonly data?: unknown;
  /** The agent has not answered yet, and will when its next hook runs. */
  readonly queued?: boolean;
  /** It is kept for agents that start later. */
  readonly later?: boolean;
}

/** Sends a command to an agent and waits for the answer. */
export function sendCommand(
  session: AgentSession,
  type: string,
  data: Readonly<Record<string, unknown>>,
  timeoutMs: number,
): Promise<CommandAnswer> {
  const commandId = randomUUID();
  const behindHooks = session.about?.adapter === "hook";
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      following.close();
      clearTimeout(timer);
      clearInterval(alive);
      settle();
    };
    const fail = (code: "timeout" | "session_not_found", message: string): void =>
      finish(() => reject(new BridgeError(code, message)));
    const following = followLines(session.events, {
      from: "end",
      onLine: ({ text }) => {
        const answer = answerIn(text, commandId);
        if (answer) finish(() => resolve(withBlobs(answer, session)));
      },
    });
    const timer = setTimeout(
      () =>
        behindHooks
          ? finish(() => resolve({ commandId, type, success: true, queued: true }))
          : fail(
              "timeout",
              `no answer to ${type} within ${timeoutMs} ms; the agent may be busy: watch it with debug-bridge agent watch`,
            ),
      behindHooks ? HOOK_TIMEOUT_MS : timeoutMs,
    );
    const alive = setInterval(() => {
      const about = readSession(session.folder);
      if (!about || isActive(about)) return;
      following.read();
      fail("session_not_found", `the session ${session.id} ended before it answered`);
    }, CHECK_EVERY_MS);
    try {
      appendCommand(session.folder, { type, id: commandId, data });
    } catch (thrown) {
      finish(() => reject(thrown));
    }
  });
}

/** The answer in a line of events. Other agents may answer with `command_executed` only. */
function answerIn(line: string, commandId: string): CommandAnswer | undefined {
  if (!line.includes(commandId)) return undefined;
  try {
    const { type, data } = JSON.parse(line) as { type: string; data: CommandAnswer };
    if (data.commandId !== commandId) return undefined;
    if (type === "command_response") return { ...data, success: data.success ?? data.error === undefined };
    return type === "command_executed" ? { commandId, type: data.type, success: true } : undefined;
  } catch {
    return undefined;
  }
}

function withBlobs(answer: CommandAnswer, { folder }: AgentSession): CommandAnswer {
  return answer.data === undefined ? answer : { ...answer, data: new BlobStore(folder).resolve(answer.data) };
}
