import { randomUUID } from "node:crypto";
import { appendCommand, BlobStore, followLines, isActive, isCodi, readSession } from "@debug-bridge/journal";
import {
  type AgentOutcome,
  AnswerReader,
  answerFromCodi,
  BridgeError,
  codiResponds,
  isUnknownCommand,
  toCodi,
} from "@debug-bridge/protocol";
import { parseEvent } from "../events/event-line.js";
import type { AgentSession } from "../session/choose-session.js";

/** How often to check that the agent is alive while it does not answer. */
const CHECK_INTERVAL_MS = 500;
/** An agent behind hooks reads commands when its next hook runs, which can take long. */
const HOOK_TIMEOUT_MS = 300;

export interface CommandAnswer extends AgentOutcome {
  readonly commandId: string;
  readonly type: string;
  /** The agent has not answered yet, and will when its next hook runs. */
  readonly queued?: boolean;
  /** It is kept for agents that start later. */
  readonly later?: boolean;
}

type Data = Readonly<Record<string, unknown>>;

/** Sends a command to an agent, in the agent's own words, and waits for the answer. */
export async function sendCommand(
  session: AgentSession,
  type: string,
  data: Data,
  timeoutMs: number,
): Promise<CommandAnswer> {
  if (isCodi(session.folder, session.about)) return sendToCodi(session, type, data, timeoutMs);
  const answer = await send(session, { type, data, timeoutMs });
  const mayBeCodi = session.about?.kind === undefined && isUnknownCommand(answer);
  return mayBeCodi ? sendToCodi(session, type, data, timeoutMs) : answer;
}

async function sendToCodi(
  session: AgentSession,
  type: string,
  data: Data,
  timeoutMs: number,
): Promise<CommandAnswer> {
  const command = toCodi(type, data);
  if (typeof command === "string") return { commandId: "", type, success: false, error: command };
  const needsResponse = codiResponds(command.type);
  const answer = await send(session, { ...command, timeoutMs, needsResponse });
  return { ...answer, ...answerFromCodi(type, answer), type };
}

interface Request {
  readonly type: string;
  readonly data: Data;
  readonly timeoutMs: number;
  /** Whether the news that the command was executed is not enough. */
  readonly needsResponse?: boolean;
}

function send(
  session: AgentSession,
  { type, data, timeoutMs, needsResponse = false }: Request,
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
    const answers = new AnswerReader();
    const following = followLines(session.events, {
      from: "end",
      onLine: ({ text }) => {
        // Parsing every event would cost time.
        if (!text.includes(commandId) && !text.includes("command_")) return;
        const event = parseEvent(text);
        const answer = event && answers.read(event.type, event.data);
        if (answer?.commandId !== commandId || (needsResponse && !answer.isResponse)) return;
        const { isResponse: _, ...outcome } = answer;
        finish(() => resolve(withBlobs({ type, ...outcome }, session)));
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
    }, CHECK_INTERVAL_MS);
    try {
      appendCommand(session.folder, { type, id: commandId, data });
    } catch (thrown) {
      finish(() => reject(thrown));
    }
  });
}

function withBlobs(answer: CommandAnswer, { folder }: AgentSession): CommandAnswer {
  return answer.data === undefined ? answer : { ...answer, data: new BlobStore(folder).resolve(answer.data) };
}
