/// <reference types="chrome" />
import type { Attachments } from "./attachments.js";
import { Pictures } from "./pictures.js";

const REEMIT_AFTER_MS = 50;

type Params = Record<string, unknown>;
export type Answer = (result: unknown, error?: string) => void;
interface Debuggee {
  readonly tabId: number;
  readonly sessionId?: string;
}

export interface CdpCommand {
  readonly tabId: number;
  readonly method: string;
  readonly params?: Params | undefined;
  readonly childSessionId?: string | undefined;
  readonly plain?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
}

/** Runs CDP commands in attached tabs, in the order in which they come, and answers in the turn in which Chrome does. */
export class Cdp {
  readonly pictures = new Pictures();

  constructor(private readonly attachments: Attachments) {}

  run(command: CdpCommand, answer: Answer): void {
    const waitFor = this.attachments.pending(command.tabId);
    if (waitFor) {
      void waitFor.then(
        () => this.send(command, answer),
        (thrown: Error) => answer(undefined, thrown.message),
      );
    } else if (this.attachments.has(command.tabId)) this.send(command, answer);
    else {
      answer(
        undefined,
        `not_actionable: no debugger is attached to tab ${command.tabId}; send attachTab first`,
      );
    }
  }

  private send({ tabId, method, params = {}, childSessionId, plain }: CdpCommand, answer: Answer): void {
    const debuggee: Debuggee =
      childSessionId === undefined ? { tabId } : { tabId, sessionId: childSessionId };
    this.pictures.note(tabId, method);
    if (method === "Runtime.enable" && !plain) reemit(debuggee, answer);
    else if (method === "Page.captureScreenshot" && childSessionId === undefined) {
      const done = this.pictures.expect(tabId);
      sendRaw(debuggee, method, params, (result, error) => {
        done();
        answer(result, error);
      });
    } else sendRaw(debuggee, method, params, answer);
  }
}

/** `Runtime.enable` reports the contexts only when it was off: so it is turned off first. */
function reemit(debuggee: Debuggee, answer: Answer): void {
  sendRaw(debuggee, "Runtime.disable", {}, () => {
    setTimeout(() => sendRaw(debuggee, "Runtime.enable", {}, answer), REEMIT_AFTER_MS);
  });
}

/** With a callback and not a promise: an event that follows the answer must not overtake it. */
function sendRaw(debuggee: Debuggee, method: string, params: Params, answer: Answer): void {
  try {
    chrome.debugger.sendCommand(debuggee, method, params, (result) => {
      const failed = chrome.runtime.lastError;
      if (failed) answer(undefined, failed.message ?? "internal: Chrome gave no reason");
      else answer(result ?? {});
    });
  } catch (thrown) {
    answer(undefined, `invalid_message: ${(thrown as Error).message}`);
  }
}
