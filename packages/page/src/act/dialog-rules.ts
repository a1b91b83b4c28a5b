import type { CommandOf } from "@debug-bridge/protocol";

export interface DialogAnswer {
  readonly accept: boolean;
  /** What `confirm` and `prompt` return. */
  readonly value: boolean | string | null;
  /** How it was answered, in the same words in every kind of session. */
  readonly text: string;
}

/** Which dialogs of the browser the bridge answers, and how. The others are left to the person. */
export class DialogRules {
  private next: CommandOf<"dialog"> | undefined;
  private all: CommandOf<"dialog"> | undefined;
  /** How many actions of agents run. Their dialogs are answered without a rule too, as no person asked for them. */
  acting = 0;

  /** A rule for the next dialog, or for all that come. */
  set(rule: CommandOf<"dialog">): void {
    if (rule.for === "all") this.all = rule;
    else this.next = rule;
  }

  /** Without a rule the answer is the one that changes least; a page that an agent leaves may be left. */
  answer(method: string, preset?: unknown): DialogAnswer | undefined {
    const rule = this.next ?? this.all;
    this.next = undefined;
    if (!rule && this.acting < 1) return undefined;
    const accept = method === "alert" || (rule ? rule.action === "accept" : method === "beforeunload");
    const value = method === "prompt" ? (accept ? String(rule?.text ?? preset ?? "") : null) : accept;
    return { accept, value, text: bridgeAnswer(accept) };
  }
}

export const bridgeAnswer = (accept: boolean): string => `answered ${accept ? "OK" : "Cancel"} by the bridge`;
