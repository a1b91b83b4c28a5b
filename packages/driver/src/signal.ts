/** Something happens now and then, and whoever waits looks again. */
export class Signal {
  private waiting = new Set<() => void>();

  fire(): void {
    const woken = this.waiting;
    this.waiting = new Set();
    for (const wake of woken) wake();
  }

  /** Resolves at the next `fire`, or when the time is over. */
  wait(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.delete(wake);
        resolve();
      }, timeoutMs);
      const wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.add(wake);
    });
  }
}
