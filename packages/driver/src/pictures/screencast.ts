import type { TelemetryBody } from "@debug-bridge/page/records";
import { FIELD_LIMITS } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";

const CAST = { format: "jpeg", quality: 60, maxWidth: 1_280, maxHeight: 1_280 };
/** Pictures follow each other no faster than this. The newest one of a burst is always sent. */
const MIN_GAP_MS = 250;
/** How long Chrome waits for a confirmation, so that a page that moves all the time costs little. */
const CONFIRM_AFTER_MS = 100;
/** Chrome makes no further frame while this many are not confirmed. */
const MAX_UNCONFIRMED = 2;
const QUIET_MS = 400;
const SILENCE_TIMEOUT_MS = 1_000;
/** Chrome's own time of a picture is used unless it is further than this from ours. */
const MAX_SKEW_MS = 10_000;

interface Frame {
  readonly data: string;
  readonly sessionId: number;
  readonly metadata?: { readonly timestamp?: number };
}

type Timer = ReturnType<typeof setTimeout>;

/** Pictures of a page while it is watched: each time that it looks different, within a rate. */
export class Screencast {
  private isOn = false;
  private last = "";
  private sentAt = 0;
  private frameAt = 0;
  private waiting: TelemetryBody | undefined;
  private unconfirmed = 0;
  private readonly timers: { send?: Timer | undefined; refresh?: Timer | undefined } = {};

  constructor(
    private readonly cdp: CdpSession,
    private readonly emit: (picture: TelemetryBody) => void,
  ) {
    cdp.on("Page.screencastFrame", (frame: Frame) => this.onFrame(frame));
    cdp.onClose(() => this.end());
  }

  /** Starts or ends it. */
  async set(isOn: boolean, again = false): Promise<void> {
    const wasOn = this.isOn;
    if (wasOn && isOn && again) {
      // Another client may have taken its place for a while.
      if (Date.now() - this.frameAt > SILENCE_TIMEOUT_MS) await this.start(true);
      return;
    }
    this.end();
    this.isOn = isOn;
    if (wasOn && !isOn) await this.cdp.send("Page.stopScreencast").catch(() => {});
    else if (isOn) await this.start(wasOn);
  }

  /** Chrome runs one at a time, and a new one begins with a picture. */
  private async start(isAgain: boolean): Promise<void> {
    this.unconfirmed = 0;
    if (isAgain) await this.cdp.send("Page.stopScreencast").catch(() => {});
    if (this.isOn) await this.cdp.send("Page.startScreencast", CAST);
  }

  private end(): void {
    this.isOn = false;
    this.last = "";
    this.waiting = undefined;
    clearTimeout(this.timers.send);
    clearTimeout(this.timers.refresh);
    this.timers.send = undefined;
    this.timers.refresh = undefined;
  }

  private onFrame({ data, sessionId, metadata }: Frame): void {
    if (!this.isOn) return;
    this.frameAt = Date.now();
    this.confirmLater(sessionId);
    if (data === this.last || data.length > FIELD_LIMITS.blob) return;
    this.last = data;
    this.waiting = { type: "page_picture", mimeType: "image/jpeg", data, timestamp: timeOf(metadata) };
    const left = this.sentAt + MIN_GAP_MS - Date.now();
    if (left <= 0) this.send();
    else this.timers.send ??= setTimeout(() => this.send(), left);
  }

  private confirmLater(sessionId: number): void {
    this.unconfirmed++;
    setTimeout(() => {
      this.unconfirmed = Math.max(0, this.unconfirmed - 1);
      if (this.isOn) this.cdp.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
    }, CONFIRM_AFTER_MS);
    if (this.unconfirmed < MAX_UNCONFIRMED && !this.timers.refresh) return;
    // Chrome may have left out the last change of a burst: look again once the page is quiet.
    clearTimeout(this.timers.refresh);
    this.timers.refresh = setTimeout(() => {
      this.timers.refresh = undefined;
      this.start(true).catch(() => {});
    }, QUIET_MS);
  }

  private send(): void {
    clearTimeout(this.timers.send);
    this.timers.send = undefined;
    const { waiting } = this;
    this.waiting = undefined;
    if (!waiting) return;
    this.sentAt = Date.now();
    this.emit(waiting);
  }
}

function timeOf(metadata: Frame["metadata"]): number {
  const now = Date.now();
  const at = Math.round((metadata?.timestamp ?? 0) * 1_000);
  return Math.abs(now - at) > MAX_SKEW_MS ? now : Math.min(at, now);
}
