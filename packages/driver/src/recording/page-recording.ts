import { randomInt } from "node:crypto";
import type { TelemetryBody } from "@debug-bridge/page/records";
import type { NetworkDetails } from "../capture/network.js";
import type { CdpSession } from "../cdp.js";
import { WORLD } from "../engine/engine-link.js";
import { seededRandom } from "./seeded-random.js";

/**
 * Has the engine of a new document record before anything can be done in it. The engine may start before this script or, in a
 * document that has no root yet, after it.
 */
const FROM_THE_START =
  "globalThis.debugBridge ? debugBridge.recordFromStart() : (globalThis.debugBridgeRecords = true);";

/** What a recording changes about a page: bodies of requests are reported, and random numbers come from a known seed. */
export class PageRecording {
  private on = false;
  private seed: number | undefined;
  /** Scripts of new documents, while it records. */
  private scripts: readonly string[] = [];
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
    const { scripts } = this;
    this.scripts = [];
    this.seed = on && this.maySeed ? randomInt(2 ** 32) : undefined;
    await Promise.all(
      scripts.map((identifier) => this.cdp.send("Page.removeScriptToEvaluateOnNewDocument", { identifier })),
    );
    if (!on) return;
    const added = [this.add({ source: FROM_THE_START, worldName: WORLD })];
    if (this.seed !== undefined) added.push(this.add({ source: seededRandom(this.seed) }));
    this.scripts = await Promise.all(added);
  }

  private async add(script: { source: string; worldName?: string }): Promise<string> {
    const { identifier } = await this.cdp.send<{ identifier: string }>(
      "Page.addScriptToEvaluateOnNewDocument",
      script,
    );
    return identifier;
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
