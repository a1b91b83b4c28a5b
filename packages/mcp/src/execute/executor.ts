import { Worker } from "node:worker_threads";
import { BridgeError } from "@debug-bridge/protocol";
import type { BrowserServer } from "playwright-core";
import type { Executed, FromWorker, ToWorker } from "./messages.js";
import { waitForSlot } from "./standby.js";

const DEFAULT_MS = 30_000;
const CONNECT_MS = 30_000;

export interface ExecutorOptions {
  /** The address for CDP clients, token included; `undefined` when no relay runs. Asked anew for each connection. */
  relayUrl(): string | undefined;
  /** What is launched when no extension is connected; `undefined`: nothing. */
  readonly temporary?: TemporaryOptions | undefined;
}

export interface TemporaryOptions {
  readonly executablePath: string;
  readonly args: readonly string[];
}

export interface ExecutedHere extends Executed {
  /** Which Chrome it was. */
  readonly where: string;
}

interface Place {
  readonly where: string;
  readonly message: Exclude<ToWorker, { type: "run" }>;
}

/**
 * Runs Playwright code in a worker of its own: what a script keeps stays between calls, and a script that is stuck is
 * ended with its worker, without a trace in anyone else's.
 */
export class Executor {
  private worker: Worker | undefined;
  private ready: Promise<string> | undefined;
  private launched: Promise<BrowserServer> | undefined;
  private nextId = 1;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ExecutorOptions) {}

  /** Runs code; calls take turns. */
  run(code: string, timeoutMs = DEFAULT_MS): Promise<ExecutedHere> {
    const result = this.turn.then(() => this.runNow(code, timeoutMs));
    this.turn = result.catch(() => {});
    return result;
  }

  /** Ends what runs and forgets what was kept. */
  async reset(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    this.ready = undefined;
    await worker?.terminate();
  }

  async close(): Promise<void> {
    await this.reset();
    await this.launched?.then((server) => server.close());
    this.launched = undefined;
  }

  /** Launched here and not in the worker, so that it ends with us, however the worker ends. */
  private async launch({ executablePath, args }: TemporaryOptions): Promise<string> {
    this.launched ??= import("playwright-core").then(({ chromium }) =>
      chromium.launchServer({ executablePath, args: [...args] }),
    );
    return (await this.launched).wsEndpoint();
  }

  private async runNow(code: string, timeoutMs: number): Promise<ExecutedHere> {
    const where = await this.connect();
    const { worker } = this;
    if (!worker) throw new BridgeError("cancelled", "reset ended this before it began");
    const id = this.nextId++;
    const lines: string[] = [];
    return new Promise<ExecutedHere>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        worker.off("message", hear);
        worker.off("exit", exit);
      };
      const hear = (message: FromWorker): void => {
        if (message.type === "line" && message.id === id) lines.push(message.line);
        if (message.type !== "done" || message.id !== id) return;
        end();
        const { value, error } = message;
        resolve({ where, lines, value, ...(error === undefined ? {} : { error }) });
      };
      const exit = (): void => {
        end();
        reject(
          new BridgeError(
            "outcome_unknown",
            "the code was ended by reset; what it did in the tabs stays done",
          ),
        );
      };
      const timer = setTimeout(() => {
        end();
        const left = `the code did not end within ${timeoutMs} ms and was ended with its state; what it did in the tabs stays done. Raise timeoutMs, or wait for less`;
        void this.reset().then(() => resolve({ where, lines, value: "", error: left }));
      }, timeoutMs);
      worker.on("message", hear);
      worker.on("exit", exit);
      worker.postMessage({ type: "run", id, code } satisfies ToWorker);
    });
  }

  /** The worker, connected; resolves with which Chrome it is in. */
  private connect(): Promise<string> {
    if (this.ready) return this.ready;
    const ready = this.start();
    this.ready = ready;
    ready.catch(() => this.reset());
    return ready;
  }

  private async start(): Promise<string> {
    const { where, message } = await this.choosePlace();
    const worker = new Worker(new URL("./worker.js", import.meta.url), {
      env: {},
      stdout: true,
      stderr: true,
    });
    this.worker = worker;
    worker.on("exit", () => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.ready = undefined;
    });
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new BridgeError("timeout", `${where} did not answer within ${CONNECT_MS / 1_000} s`)),
        CONNECT_MS,
      );
      const settle = (error?: string): void => {
        clearTimeout(late);
        if (error === undefined) resolve();
        else reject(new BridgeError("app_not_connected", `${where} could not be reached: ${error}`));
      };
      worker.once("message", (answer: FromWorker) =>
        settle(answer.type === "failed" ? answer.message : undefined),
      );
      worker.once("error", (error: Error) => settle(error.message));
      worker.postMessage(message);
    });
    return where;
  }

  private async choosePlace(): Promise<Place> {
    const cdpUrl = this.options.relayUrl();
    const health = cdpUrl === undefined ? undefined : await relayHealth(cdpUrl);
    if (cdpUrl !== undefined && health?.extension) {
      await waitForSlot(cdpUrl);
      return { where: "the person's Chrome", message: { type: "connect", cdpUrl } };
    }
    const missing = health
      ? "the hub runs, but no Chrome with the extension is connected to it"
      : "no hub with a relay is running";
    const { temporary } = this.options;
    if (temporary) {
      return {
        where: `a temporary Chrome without any logins (${missing})`,
        message: { type: "attach", endpoint: await this.launch(temporary) },
      };
    }
    throw new BridgeError(
      "app_not_connected",
      `${missing}. Load the extension (debug-bridge extension says how) and start debug-bridge up, or start this server with --temp to use a temporary Chrome`,
    );
  }
}

async function relayHealth(cdpUrl: string): Promise<{ extension?: boolean } | undefined> {
  const url = new URL("/healthz", cdpUrl.replace(/^ws/, "http"));
  url.search = "";
  const answer = await fetch(url).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as { extension?: boolean }) : undefined;
}
