import { createInterface } from "node:readline/promises";
import type { HubClient } from "@debug-bridge/client";
import { type ApprovalDecision, BridgeError, type RunEvent } from "@debug-bridge/protocol";
import { printMessage } from "../terminal/output.js";
import { paint } from "../terminal/style.js";

export type Approval = Extract<RunEvent, { event: "run.approval" }>["payload"];

export interface ApproverOptions {
  readonly hub: HubClient;
  readonly chatId: string;
  /** Origins on which the agent may act, or `all`. */
  readonly approve: readonly string[];
  /** Whether a person can be asked. */
  readonly isInteractive: boolean;
}

const DECISIONS: Readonly<Record<string, ApprovalDecision>> = {
  ...{ y: "once", yes: "once", once: "once" },
  ...{ a: "always", always: "always" },
  ...{ n: "refuse", no: "refuse" },
};

const QUESTION = "Allow it? y (in this run), a (always on this site), n (no): ";

/** Answers when the agent wants to act on a site: as the options say, else as the person in the terminal does. */
export class Approver {
  /** Questions in the terminal, which end when somebody else answers. */
  private readonly asking = new Map<string, AbortController>();

  constructor(private readonly options: ApproverOptions) {}

  onEvent(approval: Approval): void {
    if (approval.status === "waiting") void this.answer(approval);
    else this.asking.get(approval.id)?.abort();
  }

  /** The run has ended: nobody waits for an answer. */
  close(): void {
    for (const question of this.asking.values()) question.abort();
  }

  private async answer(approval: Approval): Promise<void> {
    const { hub, chatId, approve } = this.options;
    const isAllowed = approve.includes("all") || approve.includes(approval.origin);
    const decision = isAllowed ? "once" : await this.ask(approval);
    if (decision === undefined) return;
    try {
      await hub.post(`/v1/chats/${chatId}/approvals/${approval.id}`, { decision });
    } catch (thrown) {
      const { code, message } = BridgeError.from(thrown);
      // Another window was faster, or the run has ended.
      if (code !== "target_not_found") printMessage(`${paint("red", "error")}: ${message}`);
    }
  }

  private async ask({ id, origin, action }: Approval): Promise<ApprovalDecision | undefined> {
    if (!this.options.isInteractive) {
      printMessage(
        `${paint("red", "error")}: refused: the agent wants to act on ${origin} (${action}); to allow it, add --approve ${origin} or --approve all`,
      );
      return "refuse";
    }
    const question = new AbortController();
    this.asking.set(id, question);
    const prompt = createInterface({ input: process.stdin, output: process.stderr, prompt: QUESTION });
    question.signal.addEventListener("abort", () => prompt.close());
    // Ctrl+C stops the run, as at any other time of it.
    prompt.on("SIGINT", () => process.emit("SIGINT"));
    printMessage(`The agent wants to act on ${origin}: ${action}`);
    prompt.prompt();
    try {
      for await (const line of prompt) {
        const decision = DECISIONS[line.trim().toLowerCase()];
        if (decision) return decision;
        prompt.prompt();
      }
      // Ctrl+D says nothing, which is no permission.
      return question.signal.aborted ? undefined : "refuse";
    } finally {
      this.asking.delete(id);
      prompt.close();
    }
  }
}
