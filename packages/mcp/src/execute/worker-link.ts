import { Worker } from "node:worker_threads";
import { Correlator } from "@debug-bridge/protocol";
import type { FromWorker, OpenRequest, ToWorker, WorkerReply } from "./messages.js";

type Request = OpenRequest | { readonly type: "run"; readonly code: string };

/** The worker that holds Playwright and the state of scripts, with its requests and replies. */
export class WorkerLink {
  private readonly worker: Worker;
  private readonly waiting = new Correlator<WorkerReply>();
  private nextId = 1;
  private onLine: (line: string) => void = () => {};

  constructor(onExit: () => void) {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), {
      env: {},
      stdout: true,
      stderr: true,
    });
    this.worker.on("message", (message: FromWorker) => {
      if (message.type === "line") this.onLine(message.line);
      else this.waiting.settle(message.id, message);
    });
    // Node ends the worker after an error; `exit` follows.
    this.worker.on("error", (error: Error) => this.waiting.lose(error.message));
    this.worker.on("exit", () => {
      this.waiting.lose("the worker of the code was ended");
      onExit();
    });
  }

  /** Sends a request and waits for its reply. `onLine` gets what the code prints meanwhile. */
  request(
    request: Request,
    timeoutMs: number,
    onLine: (line: string) => void = () => {},
  ): Promise<WorkerReply> {
    const id = String(this.nextId++);
    const reply = this.waiting.open(id, { timeoutMs });
    this.onLine = onLine;
    if (this.waiting.has(id)) this.worker.postMessage({ ...request, id } satisfies ToWorker);
    return reply;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
