import type { DevServer } from "../dev-server.js";
import type { AngularEvent } from "./angular-messages.js";

/** A build that a save leads to ends in this time. Then no page uses the file. */
const UNUSED_TIMEOUT_MS = 10_000;
/** What a build changed is sent right before or after its end. */
const QUIET_MS = 400;
/** How long an update waits for the report of the file that it came from. */
const EARLY_MS = 500;

type Timer = ReturnType<typeof setTimeout> & { unref?(): void };

/** Joins the files that are saved with what the development server of Angular sends to its pages. */
export class AngularEdits {
  private files = new Set<string>();
  private timer: Timer | undefined;
  /** An update without a file, and when it was. */
  private early: { readonly event: AngularEvent; readonly at: number } | undefined;

  constructor(private readonly server: DevServer) {}

  onFile(file: string): void {
    this.files.add(file);
    const { early } = this;
    this.early = undefined;
    if (early && Date.now() - early.at < EARLY_MS) this.onEvent(early.event);
    else this.decideAfter(UNUSED_TIMEOUT_MS, "unused");
  }

  onEvent(event: AngularEvent): void {
    // An update may follow.
    if (event.outcome === "cleared") this.onBuilt();
    else if (this.files.size === 0) this.early = { event, at: Date.now() };
    else if (event.outcome === "build_error")
      this.server.saved({ files: this.drain(), outcome: "build_error", error: event.error });
    else this.server.saved({ files: this.drain(), outcome: event.outcome, isWhole: true });
  }

  /** A build ended. If nothing was sent because of it, it changed nothing. */
  onBuilt(): void {
    if (this.files.size > 0) this.decideAfter(QUIET_MS, "no_update");
  }

  private decideAfter(ms: number, outcome: "unused" | "no_update"): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.server.saved({ files: this.drain(), outcome, isWhole: outcome === "no_update" }),
      ms,
    ) as Timer;
    this.timer.unref?.();
  }

  private drain(): string[] {
    clearTimeout(this.timer);
    const files = [...this.files];
    this.files = new Set();
    return files;
  }
}
