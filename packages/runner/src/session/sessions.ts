import type { BrowserInstruction, BrowserResponse } from "@debug-bridge/protocol";
import { nextSteps } from "../diagnosis/next-steps.js";
import { checkFields, parseInstruction } from "../instruction/parse.js";
import { ActionLogs } from "../log/logs.js";
import { auditTo } from "./audit.js";
import { BrowserRunner, type RunnerOptions } from "./browser-runner.js";
import { responseError } from "./respond-error.js";

/** An instruction as it comes: XML, or the fields of a tool call. */
export type InstructionText = string | Readonly<Record<string, unknown>>;

/**
 * The browsers of clients, by the id of their connection. There is one live browser in all: a `start` closes whichever
 * was there before.
 */
export class BrowserSessions {
  private readonly runners = new Map<string, BrowserRunner>();
  private turn: Promise<unknown> = Promise.resolve();

  /** Answers one instruction. They take turns, and none of them throws. */
  handle(instruction: InstructionText, options: RunnerOptions): Promise<BrowserResponse> {
    const answer = this.turn.then(() => this.answer(instruction, options));
    this.turn = answer.catch(() => {});
    return answer;
  }

  /** Closes the browser of a client that went. Others are left alone. */
  async closeSession(sessionId: string): Promise<void> {
    await this.runners.get(sessionId)?.shutdown();
    this.runners.delete(sessionId);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.runners.keys()].map((id) => this.closeSession(id)));
  }

  /** The clients that have a browser. */
  get active(): string[] {
    return [...this.runners].filter(([, runner]) => runner.isStarted).map(([id]) => id);
  }

  private async answer(text: InstructionText, options: RunnerOptions): Promise<BrowserResponse> {
    const { sessionId } = options;
    let instruction: BrowserInstruction;
    try {
      instruction = typeof text === "string" ? parseInstruction(text) : checkFields(text);
    } catch (thrown) {
      return refused(thrown, options);
    }
    const runner = this.runners.get(sessionId) ?? new BrowserRunner(options);
    if (runner.opensWith(instruction)) {
      for (const id of this.runners.keys()) if (id !== sessionId) await this.closeSession(id);
    }
    this.runners.set(sessionId, runner);
    try {
      return await runner.run(instruction);
    } catch (thrown) {
      await runner.shutdown();
      return refused(thrown, options);
    } finally {
      if (!runner.isStarted) await this.closeSession(sessionId);
    }
  }
}

/** The answer to what never reached a browser. */
function refused(thrown: unknown, { sessionId, onLog, audit, home }: RunnerOptions): BrowserResponse {
  const error = responseError(thrown, {});
  const logs = new ActionLogs(onLog);
  logs.tool("error", error.message);
  (audit ?? auditTo(home))({
    who: sessionId,
    what: "browser_action",
    session: sessionId,
    outcome: error.code,
  });
  const outcome = { success: false, error };
  const next = nextSteps({ type: "stop", screenshots: "none" }, outcome, 0, undefined);
  return {
    ...outcome,
    logs: logs.take(),
    networkEvents: [],
    next,
    sessionId,
    finishedAt: new Date().toISOString(),
  };
}

const shared = new BrowserSessions();

/**
 * Answers one instruction of `browser_action` in the browser of a session. It never throws: whatever goes wrong is in
 * the response, with what to do about it.
 *
 * @example
 * const response = await handleBrowserInstruction(
 *   "<browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>",
 *   { sessionId: "connection-1" },
 * );
 */
export function handleBrowserInstruction(
  instruction: InstructionText,
  options: RunnerOptions,
): Promise<BrowserResponse> {
  return shared.handle(instruction, options);
}

/** Closes the browser of a session, when its client has gone; without an id, all of them. */
export async function closeBrowserSession(sessionId?: string): Promise<void> {
  await (sessionId === undefined ? shared.closeAll() : shared.closeSession(sessionId));
}
