import { BridgeError } from "@debug-bridge/protocol";
import type { BrowserServer } from "playwright-core";
import type { OpenRequest } from "./messages.js";
import { relayHealth, slotTaken, waitForSlot } from "./relay.js";
import { WorkerLink } from "./worker-link.js";

const DEFAULT_RUN_MS = 30_000;
const CONNECT_TIMEOUT_MS = 30_000;

export interface ExecutorOptions {
  /** The address for CDP clients, token included; `undefined` when no relay runs. Called for each connection. */
  relayUrl(): string | undefined | Promise<string | undefined>;
  /** What is launched when no extension is connected; `undefined`: nothing. */
  readonly temporary?: TemporaryOptions | undefined;
}

export interface TemporaryOptions {
  readonly executablePath: string;
  readonly args: readonly string[];
}

export interface ExecuteResult {
  /** The value as text. */
  readonly value: string;
  /** What the code printed. */
  readonly lines: readonly string[];
  readonly error?: string;
  /** Which Chrome it ran in. */
  readonly where: string;
}

interface Connection {
  readonly link: WorkerLink;
  readonly where: string;
}

/**
 * Runs Playwright code in its own worker. What a script keeps in `state` stays between calls, and a script that
 * hangs is ended with its worker without affecting anything else.
 */
export class Executor {
  private link: WorkerLink | undefined;
  private connection: Promise<Connection> | undefined;
  private launched: Promise<BrowserServer> | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ExecutorOptions) {}

  /** Runs code; one call at a time. */
  run(code: string, timeoutMs = DEFAULT_RUN_MS): Promise<ExecuteResult> {
    const result = this.queue.then(() => this.runNow(code, timeoutMs));
    this.queue = result.catch(() => {});
    return result;
  }

  /** Ends running code and drops its state. */
  async reset(): Promise<void> {
    const { link } = this;
    this.link = undefined;
    this.connection = undefined;
    await link?.end();
  }

  async close(): Promise<void> {
    await this.reset();
    await this.launched?.then((server) => server.close());
    this.launched = undefined;
  }

  private async runNow(code: string, timeoutMs: number): Promise<ExecuteResult> {
    const { link, where } = await this.connect();
    const lines: string[] = [];
    try {
      const { value, error } = await link.request({ type: "run", code }, timeoutMs, (line) =>
        lines.push(line),
      );
      return { where, lines, value, ...(error === undefined ? {} : { error }) };
    } catch (thrown) {
      if (BridgeError.from(thrown).code !== "timeout") throw thrown;
      await this.reset();
      const error = `the code did not finish within ${timeoutMs} ms and was stopped. Its state is lost; its effects on the tabs remain. Raise timeoutMs, or do less in one call`;
      return { where, lines, value: "", error };
    }
  }

  private connect(): Promise<Connection> {
    if (this.connection) return this.connection;
    const connection = this.open();
    this.connection = connection;
    connection.catch(() => {
      if (this.connection === connection) void this.reset();
    });
    return connection;
  }

  private async open(): Promise<Connection> {
    const cdpUrl = await this.options.relayUrl();
    const health = cdpUrl === undefined ? undefined : await relayHealth(cdpUrl);
    if (cdpUrl !== undefined && health?.extension) return this.openRelay(cdpUrl);
    const missing = health
      ? "the hub runs, but no Chrome with the extension is connected to it"
      : "no hub with a relay is running";
    const { temporary } = this.options;
    if (!temporary) {
      throw new BridgeError(
        "app_not_connected",
        `${missing}. Load the extension (debug-bridge extension shows how) and start debug-bridge up, or start this server with --temp to use a temporary Chrome`,
      );
    }
    const where = `a temporary Chrome without any logins (${missing})`;
    const link = this.startWorker();
    const error = await this.openIn(link, { type: "attach", endpoint: await this.launch(temporary) });
    if (error !== undefined) throw unreachable(where, error);
    return { link, where };
  }

  /** Another client can take the slot between the check and the connection: then this one waits again. */
  private async openRelay(cdpUrl: string): Promise<Connection> {
    const where = "the person's Chrome";
    const deadline = Date.now() + CONNECT_TIMEOUT_MS;
    const link = this.startWorker();
    for (;;) {
      await waitForSlot(cdpUrl, deadline);
      const error = await this.openIn(link, { type: "connect", cdpUrl });
      if (error === undefined) return { link, where };
      if (!isConflict(error)) throw unreachable(where, error);
      if (Date.now() >= deadline) throw slotTaken(null);
    }
  }

  /** Resolves with why the Chrome could not be reached. */
  private async openIn(link: WorkerLink, request: OpenRequest): Promise<string | undefined> {
    return (await link.request(request, CONNECT_TIMEOUT_MS)).error;
  }

  private startWorker(): WorkerLink {
    const link = new WorkerLink(() => {
      if (this.link !== link) return;
      this.link = undefined;
      this.connection = undefined;
    });
    this.link = link;
    return link;
  }

  /** Launched here and not in the worker, so that it ends with this process, however the worker ends. */
  private async launch({ executablePath, args }: TemporaryOptions): Promise<string> {
    this.launched ??= import("playwright-core").then(({ chromium }) =>
      chromium.launchServer({ executablePath, args: [...args] }),
    );
    return (await this.launched).wsEndpoint();
  }
}

/** The relay answers the upgrade with 409 while its slot is taken. */
function isConflict(error: string): boolean {
  return /\b409\b/.test(error);
}

function unreachable(where: string, error: string): BridgeError {
  return new BridgeError("app_not_connected", `${where} could not be reached: ${error}`);
}
