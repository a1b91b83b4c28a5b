import { BridgeError, type FenceSource } from "@debug-bridge/protocol";
import type { CdpLink } from "./cdp-link.js";
import { CodeProcess } from "./code-process.js";
import { relayHealth, slotTaken, waitForSlot } from "./relay.js";
import { openRelayLink, RelayRefusal } from "./relay-link.js";
import { TemporaryChrome, type TemporaryOptions } from "./temporary-chrome.js";

const DEFAULT_RUN_MS = 30_000;
const CONNECT_TIMEOUT_MS = 30_000;
/** Characters of output that are kept of one call. */
const MAX_OUTPUT = 2_000_000;
const PERSONS_CHROME = "the person's Chrome";

export interface ExecutorOptions {
  /** The address for CDP clients, token included; `undefined` when no relay runs. Called for each connection. */
  relayUrl(): string | undefined | Promise<string | undefined>;
  /** Why code may not run at the moment; asked before each run. */
  refusal?(): Promise<BridgeError | undefined>;
  /** What is launched when no extension is connected; `undefined`: nothing. */
  readonly temporary?: TemporaryOptions | undefined;
}

export interface ExecuteResult {
  /** The value as text. */
  readonly value: string;
  /** What the code printed. */
  readonly lines: readonly string[];
  readonly error?: string;
  /** Which Chrome it ran in. */
  readonly where: FenceSource;
}

interface Connection {
  readonly code: CodeProcess;
  readonly where: FenceSource;
}

/**
 * Runs Playwright code in a separate process, which has neither files nor the token. What a script keeps in `state`
 * stays between calls, and a script that hangs is ended with its process without affecting anything else.
 */
export class Executor {
  private code: CodeProcess | undefined;
  private connection: Promise<Connection> | undefined;
  private launched: TemporaryChrome | undefined;
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
    const { code, launched } = this;
    this.code = undefined;
    this.connection = undefined;
    this.launched = undefined;
    await Promise.all([code?.end(), launched?.closed()]);
  }

  async close(): Promise<void> {
    await this.reset();
  }

  private async runNow(text: string, timeoutMs: number): Promise<ExecuteResult> {
    const refusal = await this.options.refusal?.();
    if (refusal) throw refusal;
    const { code, where } = await this.connect();
    const lines = new Lines();
    try {
      const { value, error } = await code.request({ type: "run", code: text }, timeoutMs, (line) =>
        lines.add(line),
      );
      return { where, lines: lines.all, value, ...(error === undefined ? {} : { error }) };
    } catch (thrown) {
      if (BridgeError.from(thrown).code !== "timeout") throw thrown;
      await this.reset();
      const error = `the code did not finish within ${timeoutMs} ms and was stopped. Its state is lost; its effects on the tabs remain. Raise timeoutMs, or do less in one call`;
      return { where, lines: lines.all, value: "", error };
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
    // Started first: it loads Playwright while the relay is asked.
    const code = this.startProcess();
    const cdpUrl = await this.options.relayUrl();
    const health = cdpUrl === undefined ? undefined : await relayHealth(cdpUrl);
    if (cdpUrl !== undefined && health?.extension)
      return this.join(code, await this.openRelay(cdpUrl), PERSONS_CHROME);
    const missing = health
      ? "the hub runs, but no Chrome with the extension is connected to it"
      : "no hub with a relay is running";
    const { temporary } = this.options;
    if (!temporary) {
      throw new BridgeError(
        "app_not_connected",
        `${missing}. Load the extension (debug-bridge extension shows how) and start debug-bridge up, or use debug-bridge mcp over stdio with --temp-chrome, which launches a temporary Chrome`,
      );
    }
    this.launched = new TemporaryChrome(temporary, code.scratch);
    return this.join(code, this.launched, `a temporary Chrome without any logins (${missing})`);
  }

  private async join(code: CodeProcess, link: CdpLink, where: FenceSource): Promise<Connection> {
    try {
      code.join(link);
      const { error } = await code.request({ type: "open" }, CONNECT_TIMEOUT_MS);
      if (error !== undefined) throw unreachable(where, error);
      return { code, where };
    } catch (thrown) {
      link.close();
      throw thrown;
    }
  }

  /** Another client can take the slot between the check and the connection: then this one waits again. */
  private async openRelay(cdpUrl: string): Promise<CdpLink> {
    const deadline = Date.now() + CONNECT_TIMEOUT_MS;
    for (;;) {
      await waitForSlot(cdpUrl, deadline);
      try {
        return await openRelayLink(cdpUrl, CONNECT_TIMEOUT_MS);
      } catch (thrown) {
        // The relay answers the upgrade with 409 while its slot is taken.
        if (!(thrown instanceof RelayRefusal && thrown.status === 409))
          throw unreachable(PERSONS_CHROME, (thrown as Error).message);
        if (Date.now() >= deadline) throw slotTaken(null);
      }
    }
  }

  private startProcess(): CodeProcess {
    const code = new CodeProcess(() => {
      if (this.code === code) void this.reset();
    });
    this.code = code;
    return code;
  }
}

/** The lines that code printed, within a bound. */
class Lines {
  readonly all: string[] = [];
  private characters = 0;

  add(line: string): void {
    if (this.characters > MAX_OUTPUT) return;
    this.characters += line.length + 1;
    this.all.push(this.characters > MAX_OUTPUT ? "… the rest of the output is left out" : line);
  }
}

function unreachable(where: string, error: string): BridgeError {
  return new BridgeError("app_not_connected", `${where} could not be reached: ${error}`);
}
