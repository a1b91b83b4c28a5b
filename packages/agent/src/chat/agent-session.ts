import type { ProviderEvent } from "@debug-bridge/protocol";
import { hookedSession } from "../hook/session/hooked-session.js";

const POLL_INTERVAL_MS = 100;

/**
 * Reports the session in which an agent is debugged through its hooks. Its first hook creates it, some time after the
 * agent named its thread.
 */
export class AgentSessionReporter {
  private threadId: string | undefined;
  private isReported = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly home: string,
    private readonly emit: (event: ProviderEvent) => void,
    private readonly options: { readonly notice: string | undefined },
  ) {}

  onEvent(event: ProviderEvent): void {
    if (event.type !== "session") return;
    this.threadId = event.sessionId;
    clearInterval(this.timer);
    // The person may want to pause the agent before it does anything that it would report.
    this.timer = setInterval(() => this.poll(), POLL_INTERVAL_MS);
    this.timer.unref();
  }

  /** Called when the agent has ended. */
  end(): void {
    clearInterval(this.timer);
    this.poll();
    if (this.isReported || this.options.notice === undefined || this.threadId === undefined) return;
    this.emit({ type: "step", id: "hooks", kind: "notice", title: this.options.notice, status: "done" });
  }

  private poll(): void {
    if (this.isReported || this.threadId === undefined) return;
    const session = hookedSession(this.home, this.threadId);
    if (session === undefined) return;
    this.isReported = true;
    clearInterval(this.timer);
    this.emit({
      type: "step",
      id: "agent",
      kind: "agent",
      title: `debugged as session ${session}`,
      status: "done",
      detail: session,
    });
  }
}
