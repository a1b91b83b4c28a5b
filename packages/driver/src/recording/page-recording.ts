import { randomInt } from "node:crypto";
import type { TelemetryBody } from "@debug-bridge/page/records";
import type { NetworkDetails } from "../capture/network.js";
import type { CdpSession } from "../cdp.js";
import { seededRandom } from "./seeded-random.js";

/** What a recording changes about a page: bodies of requests are reported, and random numbers come from a known seed. */
export class PageRecording {
  private on = false;
  private seed: number | undefined;
  private script: string | undefined;
  /** Whether the current document began with the seed. */
  private isSeeded = false;

  constructor(
    private readonly cdp: CdpSession,
    private readonly details: NetworkDetails,
    /** Whether the page is ours alone. The random numbers of a page that a person uses are left as they are. */
    private readonly maySeed: boolean,
  ) {}

  async set(on: boolean): Promise<void> {
    if (on === this.on) return;
    this.on = on;
    this.details.recording = on;
    if (!this.maySeed) return;
    if (on) {
      this.seed = randomInt(2 ** 32);
      const source = seededRandom(this.seed);
      const added = await this.cdp.send<{ identifier: string }>("Page.addScriptToEvaluateOnNewDocument", {
        source,
      });
      this.script = added.identifier;
    } else if (this.script !== undefined) {
      this.seed = undefined;
      await this.cdp.send("Page.removeScriptToEvaluateOnNewDocument", { identifier: this.script });
    }
  }

  /** A new document is there; whether it has to be recorded. */
  onDocument(): boolean {
    this.isSeeded = this.seed !== undefined;
    return this.on;
  }

  /** Adds the seed to what the page reports of its surroundings. */
  describe(body: TelemetryBody): TelemetryBody {
    if (body.type !== "recording_start" || !this.isSeeded || this.seed === undefined) return body;
    return { ...body, seed: this.seed };
  }
}
