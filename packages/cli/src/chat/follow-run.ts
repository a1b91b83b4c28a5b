import { type HubClient, streamChatEvents } from "@debug-bridge/client";
import { BridgeError, backoffDelay, type RunEvent } from "@debug-bridge/protocol";
import { approvalStep } from "@debug-bridge/server";
import { printJson, printLine, printMessage, printText } from "../terminal/output.js";
import { paint } from "../terminal/style.js";
import type { Approver } from "./approver.js";
import { plain, stepText } from "./saved-chats.js";

export interface FollowOptions {
  readonly chatId: string;
  readonly runId: string;
  /** Sequence of the last event before the run. */
  readonly since: number;
  readonly json: boolean;
  readonly approver: Approver;
}

type Ending = "done" | "failed" | "person" | "interrupted";

const RETRY = { firstMs: 250, maxMs: 1_000 };
const MAX_RETRIES = 10;

/** Shows a run until its end. Ctrl+C stops the run; a second one leaves it. */
export async function followRun(hub: HubClient, options: FollowOptions): Promise<Ending> {
  const leave = new AbortController();
  let presses = 0;
  const onInterrupt = (): void => {
    if (presses++ > 0) leave.abort();
    else hub.post(`/v1/runs/${options.runId}/stop`, {}).catch(() => leave.abort());
  };
  process.on("SIGINT", onInterrupt);
  try {
    return await readRun(hub, options, leave.signal);
  } finally {
    process.off("SIGINT", onInterrupt);
    options.approver.close();
  }
}

async function readRun(
  hub: HubClient,
  { chatId, runId, since, json, approver }: FollowOptions,
  signal: AbortSignal,
): Promise<Ending> {
  const printer = new RunPrinter();
  let last = since;
  for (let retries = 0; retries < MAX_RETRIES && !signal.aborted; ) {
    try {
      for await (const event of streamChatEvents(await hub.connect(), chatId, { since: last, signal })) {
        retries = 0;
        last = event.sequence;
        if (event.runId !== runId) continue;
        if (json) await printJson(event);
        else printer.print(event);
        if (event.event === "run.approval") approver.onEvent(event.payload);
        if (event.event === "run.finished") return event.payload.outcome;
        if (event.event === "run.stopped") return event.payload.reason;
      }
    } catch (thrown) {
      if (BridgeError.from(thrown).code !== "app_not_connected") throw thrown;
    }
    // The connection broke: what comes next is read from the transcript.
    await new Promise((resolve) => setTimeout(resolve, backoffDelay(retries++, RETRY)));
  }
  throw new BridgeError(
    "app_not_connected",
    `the connection to the hub was lost; see how it went with: debug-bridge chat show ${chatId}`,
  );
}

/** The answer goes to standard output, everything else to standard error. */
class RunPrinter {
  private isWithinLine = false;

  print(event: RunEvent): void {
    switch (event.event) {
      case "run.delta": {
        const text = plain(event.payload.text);
        printText(text);
        this.isWithinLine = !text.endsWith("\n");
        return;
      }
      case "run.step":
        if (event.payload.status === "running") return;
        this.endLine();
        printMessage(paint("dim", stepText(event.payload)));
        return;
      case "run.approval":
        this.endLine();
        if (event.payload.status !== "waiting")
          printMessage(paint("dim", stepText(approvalStep(event.payload))));
        return;
      case "run.error":
        this.endLine();
        printMessage(`${paint("red", "error")}: ${plain(event.payload.message)}`);
        return;
      case "run.stopped":
        this.endLine();
        printMessage(
          event.payload.reason === "person" ? "stopped" : "interrupted: the hub ended during this run",
        );
        return;
      case "run.finished":
        this.endLine();
        return;
      default:
    }
  }

  private endLine(): void {
    if (this.isWithinLine) printLine();
    this.isWithinLine = false;
  }
}
