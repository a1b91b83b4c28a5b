import { bridgeAnswer, DialogRules } from "@debug-bridge/page/records";
import { BridgeError, type CommandOf, truncate } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import type { TelemetryPipeline } from "./telemetry-pipeline.js";

interface DialogOpening {
  readonly type: "alert" | "confirm" | "prompt" | "beforeunload";
  readonly message: string;
  readonly defaultPrompt?: string;
}

/** A dialog that was answered. */
interface Answered {
  readonly type: string;
  readonly message: string;
}

/**
 * Dialogs stop a page until someone answers. Those that a rule is for, those of agents' own actions, and all those of a
 * launched browser are answered here; both the text and the answer are reported. The others wait for the person, or for
 * an agent's `dialog`.
 */
export class Dialogs {
  readonly rules = new DialogRules();
  private open: DialogOpening | undefined;

  constructor(
    private readonly cdp: CdpSession,
    private readonly pipeline: TelemetryPipeline,
    answersAll: boolean,
  ) {
    if (answersAll) this.rules.acting = 1;
  }

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  listen(): void {
    this.cdp.on("Page.javascriptDialogOpening", (opening: DialogOpening) => {
      const { type, message, defaultPrompt } = opening;
      this.report(opening, message);
      const answer = this.rules.answer(type, defaultPrompt);
      if (answer) void this.handle(opening, answer).catch(() => {});
      else this.open = opening;
    });
    this.cdp.on("Page.javascriptDialogClosed", () => {
      this.open = undefined;
    });
  }

  /** Answers the dialog that is open; without one, the command becomes a rule. */
  async answer(command: CommandOf<"dialog">): Promise<Answered | undefined> {
    const { open } = this;
    if (open === undefined || command.for === "all") this.rules.set(command);
    if (open === undefined) return undefined;
    const accept = open.type === "alert" || command.action === "accept";
    await this.handle(open, { accept, value: command.text ?? open.defaultPrompt ?? "" });
    return { type: open.type, message: truncate(open.message, 1_000) };
  }

  /** A page with an open dialog answers nothing. */
  refuseWhileOpen(command: string): void {
    if (!this.open) return;
    const { type, message } = this.open;
    throw new BridgeError(
      "not_actionable",
      `the page shows a dialog (${type}: "${truncate(message, 300)}") and waits for its answer. ${command} was not done; answer it with dialog, action accept or dismiss`,
      { dialog: { type, message: truncate(message, 1_000) } },
    );
  }

  private async handle(
    opening: DialogOpening,
    answer: { readonly accept: boolean; readonly value: boolean | string | null },
  ): Promise<void> {
    const { accept, value } = answer;
    const promptText = opening.type === "prompt" && typeof value === "string" ? { promptText: value } : {};
    // Reported first: what the page prints next comes after it.
    if (opening.type !== "alert") this.report(opening, opening.message, bridgeAnswer(accept));
    await this.cdp.send("Page.handleJavaScriptDialog", { accept, ...promptText });
  }

  private report({ type }: DialogOpening, ...lines: string[]): void {
    this.pipeline.add({ type: "console", level: "info", method: type, args: lines });
  }
}
