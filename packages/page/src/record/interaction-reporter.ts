import { RateWindow } from "@debug-bridge/protocol";
import { platform } from "../inert/platform.js";
import type { Masker } from "../privacy/masker.js";
import type { BodyOf, Emit } from "../telemetry.js";
import { locatorsOf } from "./locators.js";

export type Interaction = BodyOf<"interaction">;

/** In one second, of scripts and of people: a script that clicks all the time must not fill the timeline. */
const MAX_SYNTHETIC = 50;
const MAX_TRUSTED = 1_000;

export interface ReporterOptions {
  readonly window: Window;
  readonly masker: Masker;
  readonly emit: Emit;
}

/** Reports interactions, so many in a second. Those that were too many are counted in a gap before the next one. */
export class InteractionReporter {
  private readonly synthetic = new RateWindow(MAX_SYNTHETIC);
  private readonly trusted = new RateWindow(MAX_TRUSTED);
  private dropped = 0;

  constructor(private readonly options: ReporterOptions) {}

  /** `isPast`: the event was handled before anybody listened for it here. */
  report(
    event: Event | undefined,
    target: Element | undefined,
    what: Partial<Interaction> & Pick<Interaction, "action">,
    isPast: boolean,
  ): void {
    const { window, masker, emit } = this.options;
    const now = platform.now();
    const isSynthetic = event?.isTrusted === false;
    if ((isSynthetic ? this.synthetic : this.trusted).admit(now, false) < 0) {
      this.dropped++;
      return;
    }
    if (this.dropped > 0)
      emit({ type: "gap", dropped: this.dropped, reason: "too many interactions in a second" });
    this.dropped = 0;
    emit({
      type: "interaction",
      locators: target ? locatorsOf(target, masker) : [],
      url: masker.url(window.location.href),
      timestamp: platform.epoch() - (isPast && event ? Math.round(now - event.timeStamp) : 0),
      ...what,
      ...(isSynthetic ? { synthetic: true } : {}),
    });
  }
}
