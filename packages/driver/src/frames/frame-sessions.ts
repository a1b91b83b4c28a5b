import type { TelemetryBody } from "@debug-bridge/page/records";
import { captureBrowserLog } from "../capture/browser-log.js";
import type { ChainRecorder } from "../capture/chain.js";
import { captureConsole } from "../capture/console.js";
import { captureErrors } from "../capture/errors.js";
import type { NetworkDetails, RunningRequests } from "../capture/network.js";
import { captureNetwork } from "../capture/network.js";
import { TelemetryPipeline } from "../capture/telemetry-pipeline.js";
import type { CdpSession } from "../cdp.js";
import { EngineLink } from "../engine/engine-link.js";
import type { EngineConfig, FromPage } from "../engine/link-messages.js";
import { MainWorld } from "../engine/main-world.js";
import type { PageNumbers } from "../engine/page-numbers.js";
import type { FrameHost } from "./foreign-frame.js";
import type { Frames } from "./frames.js";

interface Attached {
  readonly sessionId: string;
  readonly targetInfo: { readonly targetId: string; readonly type: string; readonly url: string };
}

export interface FrameSessionsOptions {
  readonly config: EngineConfig;
  readonly numbers: PageNumbers;
  readonly details: NetworkDetails;
  readonly running: RunningRequests;
  readonly chains: ChainRecorder;
  onMessage(host: FrameHost, message: FromPage, contextId: number): void;
  emit(record: TelemetryBody): void;
}

/**
 * The sessions of frames that are in separate processes, at any depth: each has the engine in it, and its console,
 * errors and requests are captured like those of the page.
 */
export class FrameSessions {
  private readonly hosts = new Map<string, FrameHost>();

  constructor(
    private readonly frames: Frames,
    private readonly options: FrameSessionsOptions,
  ) {}

  /** Attaches to every frame below a session, those that come later included. */
  async follow(host: FrameHost): Promise<void> {
    const { cdp } = host;
    cdp.on("Target.attachedToTarget", (event: Attached) => void this.attach(host, event).catch(() => {}));
    cdp.on("Target.detachedFromTarget", ({ sessionId }: { sessionId: string }) => {
      const left = this.hosts.get(sessionId);
      this.hosts.delete(sessionId);
      if (left) this.frames.leave(left);
    });
    const flags = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    await cdp.send("Target.setAutoAttach", {
      ...flags,
      filter: [{ type: "iframe", exclude: false }, { exclude: true }],
    });
  }

  /** Resolves when what the frames did so far is recorded. */
  async flush(): Promise<void> {
    await Promise.all([...this.hosts.values()].map(({ pipeline }) => pipeline.flush()));
  }

  private async attach(around: FrameHost, { sessionId, targetInfo }: Attached): Promise<void> {
    const cdp = around.cdp.child(sessionId);
    const resume = (): Promise<unknown> => cdp.send("Runtime.runIfWaitingForDebugger").catch(() => {});
    if (targetInfo.type !== "iframe") return void (await resume());
    const host = this.open(cdp, around, targetInfo.targetId);
    this.hosts.set(sessionId, host);
    cdp.on("Inspector.targetCrashed", () =>
      this.options.emit({ type: "error", message: `the process of the frame ${targetInfo.url} crashed` }),
    );
    // All at once: the browser takes them in this order, and the frame starts after them.
    await Promise.all([
      cdp.send("Page.enable").catch(() => {}),
      cdp.send("Runtime.enable"),
      cdp.send("Network.enable", { maxPostDataSize: 65_536 }).catch(() => {}),
      cdp.send("Log.enable").catch(() => {}),
      cdp.send("Inspector.enable").catch(() => {}),
      this.options.chains.follow(cdp).catch(() => {}),
      host.engine.inject(false),
      this.follow(host),
      resume(),
    ]);
  }

  private open(cdp: CdpSession, around: FrameHost, frameId: string): FrameHost {
    const { config, numbers, details, running, chains, onMessage, emit } = this.options;
    const engine = new EngineLink(cdp, config, numbers, (message, contextId) =>
      onMessage(host, message, contextId),
    );
    const pipeline = new TelemetryPipeline({
      emit,
      sendToPage: async (records) => {
        const frame = this.frames.all.find((each) => each.host === host);
        if (!frame) return false;
        await engine.call(frame.document, "addRecords", JSON.stringify(records));
        return true;
      },
    });
    const host: FrameHost = {
      ...{ cdp, engine, pipeline },
      around: { host: around, frameId },
      frameIds: new Map(),
    };
    const mainWorld = new MainWorld(cdp, { mainContextId: undefined }, config.channel);
    this.frames.follow(host);
    captureConsole(cdp, pipeline, mainWorld, chains);
    captureErrors(cdp, pipeline, mainWorld, chains);
    captureBrowserLog(cdp, pipeline);
    captureNetwork(cdp, pipeline, {
      ...{ details, running, chains },
      isOwn: (fragment) => engine.ownMarks.delete(fragment),
    });
    return host;
  }
}
