import { BridgeError, type BrowserInstruction, type BrowserResponse } from "@debug-bridge/protocol";
import { nextSteps } from "../diagnosis/next-steps.js";
import { checkFields, parseInstruction } from "../instruction/parse.js";
import { ActionLogs } from "../report/logs.js";
import { BrowserRunner, type RunnerOptions } from "./browser-runner.js";
import { responseError } from "./response-error.js";

/** An instruction: XML, or the fields of a tool call. */
export type InstructionText = string | Readonly<Record<string, unknown>>;

/** The browsers of clients, by session id. Only one browser runs at a time: a `start` closes the one before. */
export class BrowserSessions {
  private readonly runners = new Map<string, BrowserRunner>();
  /** Who closed the browser of a client by starting one. */
  private readonly displaced = new Map<string, string>();
  private turn: Promise<unknown> = Promise.resolve();

  /** Carries out one instruction after the other. It never throws: errors are in the response. */
  handle(instruction: InstructionText, options: RunnerOptions): Promise<BrowserResponse> {
    const answer = this.turn.then(() => this.answer(instruction, options));
    this.turn = answer.catch(() => {});
    return answer;
  }

  /** Closes the browser of one client. */
  async closeSession(sessionId: string): Promise<void> {
    const runner = this.runners.get(sessionId);
    await runner?.dispose();
    if (this.runners.get(sessionId) === runner) this.runners.delete(sessionId);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.runners.keys()].map((id) => this.closeSession(id)));
  }

  /** The clients that have a browser. */
  get active(): string[] {
    return [...this.runners].filter(([, runner]) => runner.isStarted).map(([id]) => id);
  }

  private displacement(sessionId: string): BridgeError {
    return new BridgeError(
      "session_not_found",
      `the browser of this session was closed, because "${this.displaced.get(sessionId)}" started one and only one runs at a time; send start to get it back`,
    );
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
    this.runners.set(sessionId, runner);
    if (runner.opensWith(instruction)) this.displaced.delete(sessionId);
    else if (this.displaced.has(sessionId)) return refused(this.displacement(sessionId), options);
    const closeOthers = async (): Promise<void> => {
      for (const id of this.runners.keys()) {
        if (id === sessionId) continue;
        await this.closeSession(id);
        this.displaced.set(id, sessionId);
        const [oldest] = this.displaced.keys();
        if (this.displaced.size > MAX_DISPLACED && oldest !== undefined) this.displaced.delete(oldest);
      }
    };
    try {
      return await runner.run(instruction, closeOthers);
    } catch (thrown) {
      await this.closeSession(sessionId);
      return refused(thrown, options);
    } finally {
      if (!runner.isStarted) await this.closeSession(sessionId);
    }
  }
}

const MAX_DISPLACED = 1_000;

/** The response to an instruction that never reached a browser. */
function refused(thrown: unknown, { sessionId, onLog }: RunnerOptions): BrowserResponse {
  const error = responseError(thrown, {});
  const logs = new ActionLogs(onLog);
  logs.tool("error", error.message);
  const outcome = { success: false, error };
  const next = nextSteps({ type: "stop", screenshots: "none" }, outcome, 0, undefined);
  return {
    ...outcome,
    logs: logs.drainEntries(),
    networkEvents: [],
    next,
    sessionId,
    finishedAt: new Date().toISOString(),
  };
}

const shared = new BrowserSessions();

/**
 * Carries out one instruction of `browser_action` in the browser of a session. It never throws: errors are in the
 * response, with what to do about them.
 *
 * @example
 * const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0 });
 * const response = await handleBrowserInstruction(
 *   "<browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>",
 *   { sessionId: "connection-1", hub },
 * );
 */
export function handleBrowserInstruction(
  instruction: InstructionText,
  options: RunnerOptions,
): Promise<BrowserResponse> {
  return shared.handle(instruction, options);
}

/** Closes the browser of a session when its client has disconnected; without an id, all browsers. */
export async function closeBrowserSession(sessionId?: string): Promise<void> {
  await (sessionId === undefined ? shared.closeAll() : shared.closeSession(sessionId));
}
