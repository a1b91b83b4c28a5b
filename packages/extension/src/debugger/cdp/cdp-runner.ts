/// <reference types="chrome" />
import type { Grant, Permit, StandingCasts } from "@debug-bridge/protocol";
import type { Attachments } from "../tabs/attachments.js";

const REENABLE_DELAY_MS = 50;

type Params = Readonly<Record<string, unknown>>;
export type Reply = (result: unknown, error?: string) => void;
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
  readonly client?: string | undefined;
  readonly own?: boolean | undefined;
}

export interface CdpGate {
  /** Resolves when the tab's access is in force; nothing when it is. */
  enforce(tabId: number): Promise<void> | undefined;
  /** Decides about a command that is about to be sent, so that a change of the settings holds for the very next one. */
  permit(command: CdpCommand): Permit;
  /** Asks the person for a grant that a command needs. */
  ask(command: CdpCommand, grant: Grant): Promise<boolean>;
}

/** Runs CDP commands in attached tabs, in order. Replies are sent in the same turn in which Chrome replies. */
export class CdpRunner {
  constructor(
    private readonly attachments: Attachments,
    private readonly casts: StandingCasts,
    private readonly gate: CdpGate,
  ) {}

  run(command: CdpCommand, reply: Reply): void {
    const waitFor = this.attachments.pending(command.tabId) ?? this.gate.enforce(command.tabId);
    if (waitFor) {
      void waitFor.then(
        () => this.run(command, reply),
        (thrown: Error) => reply(undefined, thrown.message),
      );
    } else if (this.attachments.has(command.tabId)) this.send(command, reply);
    else {
      reply(
        undefined,
        `not_actionable: no debugger is attached to tab ${command.tabId}; send attachTab first`,
      );
    }
  }

  private send(command: CdpCommand, reply: Reply): void {
    const permit = this.gate.permit(command);
    if ("params" in permit)
      this.sendPermitted({ ...command, params: permit.params }, this.gated(command, reply));
    else if ("acknowledge" in permit) reply({});
    else if (!("grant" in permit)) reply(undefined, permit.error);
    else
      void this.gate.ask(command, permit.grant).then((isAllowed) => {
        if (isAllowed) this.run(command, reply);
        else reply(undefined, permit.error);
      });
  }

  /** A tab may be taken away while a command runs. Then its reply does not reach the client. */
  private gated({ tabId }: CdpCommand, reply: Reply): Reply {
    return (result, error) => {
      if (this.attachments.has(tabId)) reply(result, error);
      else reply(undefined, `target_not_found: tab ${tabId} was taken away while the command ran`);
    };
  }

  private sendPermitted(
    { tabId, method, params = {}, childSessionId, plain }: CdpCommand,
    reply: Reply,
  ): void {
    const debuggee: Debuggee =
      childSessionId === undefined ? { tabId } : { tabId, sessionId: childSessionId };
    const done = this.casts.begin(tabId, method);
    const complete: Reply = (result, error) => {
      done();
      reply(result, error);
    };
    if (method === "Runtime.enable" && !plain) reenable(debuggee, complete);
    else sendRaw(debuggee, method, params, complete);
  }
}

/** `Runtime.enable` reports the contexts only when it was disabled. So it is disabled first. */
function reenable(debuggee: Debuggee, reply: Reply): void {
  sendRaw(debuggee, "Runtime.disable", {}, () => {
    setTimeout(() => sendRaw(debuggee, "Runtime.enable", {}, reply), REENABLE_DELAY_MS);
  });
}

/** Uses a callback and not a promise, because an event that follows the reply must not overtake it. */
function sendRaw(debuggee: Debuggee, method: string, params: Params, reply: Reply): void {
  try {
    chrome.debugger.sendCommand(debuggee, method, params, (result) => {
      const failed = chrome.runtime.lastError;
      if (failed) reply(undefined, failed.message ?? "internal: Chrome reported an error without a reason");
      else reply(result ?? {});
    });
  } catch (thrown) {
    reply(undefined, `invalid_message: ${(thrown as Error).message}`);
  }
}

/** Sends our own command. The tab may be closed, and that does not matter. */
export function sendQuietly(tabId: number, method: string, params: object): void {
  sendRaw({ tabId }, method, params as Params, () => {});
}
