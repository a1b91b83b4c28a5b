import { BridgeError } from "@debug-bridge/protocol";

/** Commands that wait for something before a page gets them. They can be cancelled meanwhile. */
export class WaitingCommands {
  private readonly waiting = new Map<string, AbortController>();

  /** Waits for something; rejects as soon as the command is cancelled. `until` says in the error what it waited for. */
  async wait<Value>(
    key: string,
    until: string,
    run: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const controller = new AbortController();
    const { signal } = controller;
    this.waiting.set(key, controller);
    const cancelled = new Promise<never>((_resolve, reject) => {
      const error = new BridgeError("cancelled", `it was cancelled before ${until}`);
      signal.addEventListener("abort", () => reject(error));
    });
    try {
      return await Promise.race([run(signal), cancelled]);
    } finally {
      if (this.waiting.get(key) === controller) this.waiting.delete(key);
    }
  }

  /** Whether a command was waiting, and waits no more. */
  cancel(key: string): boolean {
    const controller = this.waiting.get(key);
    controller?.abort(new BridgeError("cancelled", "it was cancelled"));
    return controller !== undefined;
  }
}
