import type { DevServer } from "../dev-server.js";
import { HmrBuilds, type HmrEvent, hmrBuildError } from "./hmr-messages.js";

/** A saved file that led to no update in this time is used by no page. */
const UNUSED_TIMEOUT_MS = 1_500;
/** How long an update waits for the report of the file that it came from. */
const EARLY_MS = 500;

type Timer = ReturnType<typeof setTimeout> & { unref?(): void };

/** Joins the files that are saved with what Next.js sends to its pages. */
export class NextEdits {
  private readonly builds = new HmrBuilds();
  private files = new Set<string>();
  private unused: Timer | undefined;
  private isBroken = false;
  private isBuilding = false;
  /** An update without a file, and when it was. */
  private early: { readonly event: HmrEvent; readonly at: number } | undefined;

  constructor(private readonly server: DevServer) {}

  onFile(file: string): void {
    this.files.add(file);
    const { early } = this;
    this.early = undefined;
    if (early && Date.now() - early.at < EARLY_MS) this.onEnd(early.event);
    else this.waitForUse();
  }

  onMessage(event: HmrEvent): void {
    if (event.kind === "building") this.isBuilding = true;
    const { isUpdate, isEnd } = this.builds.next(event);
    if (!isEnd) return;
    this.isBuilding = false;
    const hasErrors = event.kind === "built" && event.errors.length > 0;
    // Turbopack builds for requests too, when nothing was saved.
    if (!isUpdate && !hasErrors && !this.isBroken) return;
    if (this.files.size > 0) this.onEnd(event);
    else this.early = { event, at: Date.now() };
  }

  private onEnd(event: HmrEvent): void {
    clearTimeout(this.unused);
    const files = [...this.files];
    this.files = new Set();
    const [first] = event.kind === "built" ? event.errors : [];
    this.isBroken = first !== undefined;
    if (first) this.server.saved({ files, outcome: "build_error", error: hmrBuildError(first) });
    else
      this.server.saved({
        ...{ files, isWhole: true },
        outcome: event.kind === "reload" ? "full_reload" : "hot_update",
      });
  }

  private waitForUse(): void {
    clearTimeout(this.unused);
    this.unused = setTimeout(() => {
      if (this.isBuilding) return this.waitForUse();
      const files = [...this.files];
      this.files = new Set();
      this.server.saved({ files, outcome: "unused" });
    }, UNUSED_TIMEOUT_MS) as Timer;
    this.unused.unref?.();
  }
}
